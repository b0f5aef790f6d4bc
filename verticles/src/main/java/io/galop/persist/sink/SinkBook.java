package io.galop.persist.sink;

import io.galop.ledger.Book;
import io.galop.ledger.Border;
import io.galop.persist.sink.Stretch.Kept;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;

/**
 * What a run of a sink reads and what becomes of it. A record waits from when sampling lets it pass
 * until its piece of the Log is settled of it. That is told apart from what the store has answered
 * for: a record that is settled and neither stored, held back nor a dead letter is lost. Lives on
 * the sink's thread.
 */
final class SinkBook {
  private static final int STORED = Border.STORE.column("stored");
  private static final int HELD_BACK = Border.STORE.column("heldBack");
  private static final int DEAD_LETTERS = Border.STORE.column("deadLetters");
  private static final int WAITING = Border.STORE.column("waiting");
  private static final int READ_AGAIN = Border.STORE.column("readAgain");

  private static final int ANSWERED = Border.CURSOR.column("answered");

  private final Book book;
  private final Book cursors;
  private final long[] waiting;

  SinkBook(Book book, Book cursors) {
    this.book = book;
    this.cursors = cursors;
    this.waiting = new long[book.shards()];
  }

  /** What was counted balances now. */
  void turn() {
    book.turn();
    cursors.turn();
  }

  void read(Placed placed) {
    book.add(shard(placed), Border.IN, 1);
  }

  /** Sampling leaves it out, or another of its interval takes its place. */
  void heldBack(Kept kept) {
    book.add(shard(kept.placed()), HELD_BACK, 1);
  }

  void waits(Kept kept) {
    wait(shard(kept.placed()), 1);
  }

  void settled(Kept kept) {
    wait(shard(kept.placed()), -1);
  }

  private void wait(int shard, int more) {
    waiting[shard] += more;
    book.add(shard, WAITING, more);
  }

  /** The cursor may pass it from now on. */
  void passed(Kept kept, boolean isAnswered) {
    cursors.add(shard(kept.placed()), Border.IN, 1);
    if (isAnswered) {
      cursors.add(shard(kept.placed()), ANSWERED, 1);
    }
  }

  /** The store has answered for all of it. */
  void stored(StoreBatch parcel) {
    parcel.records().forEach(placed -> book.add(shard(placed), STORED, 1));
  }

  void deadLetter(Placed placed) {
    book.add(shard(placed), DEAD_LETTERS, 1);
  }

  /** The run ends: what waits is read from the Log again by the next one. */
  void end() {
    for (int shard = 0; shard < waiting.length; shard++) {
      book.add(shard, WAITING, -waiting[shard]);
      book.add(shard, READ_AGAIN, waiting[shard]);
      waiting[shard] = 0;
    }
  }

  private static int shard(Placed placed) {
    return placed.position().shard();
  }
}
