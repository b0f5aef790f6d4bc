package io.galop.enrich;

import io.galop.enrich.step.StepTally;
import io.galop.ledger.Book;
import io.galop.node.Node;
import io.vertx.core.Context;
import java.util.function.IntFunction;

/**
 * What came to the stage by a shard, and what became of it. {@code in} is counted where Batches are
 * taken, {@code out} where records are handed on, and what is between them by the steps. Each
 * change balances, so that the minute may turn before it. Lives on the shard's event loop.
 */
final class EnrichBook {
  private final Book book;
  private final int shard;
  private final int derived;
  private final int out;
  private final int dropped;
  private final int deadLetters;
  private final int duplicates;
  private final int notEnriched;
  private final int waiting;

  /** Those of an event loop, by shard. */
  static IntFunction<EnrichBook> of(Node node, Context loop) {
    Book book = node.book("enrich", loop);
    return shard -> new EnrichBook(book, shard);
  }

  EnrichBook(Book book, int shard) {
    this.book = book;
    this.shard = shard;
    this.derived = book.column("derived");
    this.out = book.column("out");
    this.dropped = book.column("dropped");
    this.deadLetters = book.column("deadLetters");
    this.duplicates = book.column("duplicates");
    this.notEnriched = book.column("notEnriched");
    this.waiting = book.column("waiting");
  }

  /** A Batch was taken. */
  void taken(int records) {
    book.turn();
    add(Book.IN, records);
  }

  /** A part of the Batch that was taken just now: some are fresh, the others came before. */
  void begun(Work work) {
    add(waiting, work.fresh.size());
    add(duplicates, work.raw().size() - work.fresh.size());
  }

  /**
   * The steps have dealt with the fresh records.
   *
   * @param records what became of them, as it was counted where it went
   */
  void enriched(Work work, long records) {
    StepTally tally = work.tally();
    book.turn();
    add(waiting, -work.fresh.size());
    add(out, records - tally.deadLetters());
    add(derived, tally.derived());
    add(dropped, tally.dropped());
    add(deadLetters, tally.deadLetters());
  }

  /** The fresh records count as never seen: their sender has them still. */
  void notEnriched(Work work) {
    book.turn();
    add(waiting, -work.fresh.size());
    add(notEnriched, work.fresh.size());
  }

  private void add(int column, long more) {
    if (more != 0) {
      book.add(shard, column, more);
    }
  }
}
