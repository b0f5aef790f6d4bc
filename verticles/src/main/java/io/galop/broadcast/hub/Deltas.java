package io.galop.broadcast.hub;

import io.galop.broadcast.delta.DeltaDigits;
import io.galop.broadcast.delta.TextDelta;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.broadcast.write.Tally;
import io.galop.json.TextBytes;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What is different in a record to the one of its topic before: worked out once for each record,
 * whatever the number of filters and viewers. On a Hub's event loop.
 */
final class Deltas {
  private static final byte[] NONE = {};

  private final Ring ring;
  private final Tally tally;
  private final TextDelta delta = new TextDelta();
  private final BitSet numbers = new BitSet();
  private @Nullable Entry latest;
  private byte[] text = NONE;

  Deltas(Ring ring, Tally tally) {
    this.ring = ring;
    this.tally = tally;
  }

  /** A short number that stands for a filter; to be given back. */
  int takeNumber() {
    int number = numbers.nextClearBit(0);
    numbers.set(number);
    return number;
  }

  void giveBack(int number) {
    numbers.clear(number);
  }

  /**
   * The number of the record's topic and what makes the record of the one before; empty if that has
   * left the ring.
   */
  byte[] of(Entry entry) {
    if (latest != entry) {
      Entry base = ring.get(entry.baseSequence());
      text = base == null ? NONE : between(base, entry);
      latest = entry;
    }
    return text;
  }

  private byte[] between(Entry base, Entry entry) {
    TextBytes text = new TextBytes(64);
    DeltaDigits.write(entry.topicNumber(), text);
    delta.write(base.remainder(), entry.remainder(), text);
    return text.toBytes();
  }

  /** A record is sent as a delta. */
  void sent() {
    tally.delta();
  }
}
