package io.galop.broadcast.hub;

import io.galop.broadcast.delta.DeltaDigits;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.json.TextBytes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the registrations of one filter are sent that take deltas: a record whole, with the numbers
 * that stand for filter and topic from now on, or only what is different to the one before. Both
 * are made once. On a Hub's event loop.
 */
final class GroupDeltas {
  private static final Frame.Opening NO_OPENING = new Frame.Opening("");

  private final Deltas deltas;
  private final int number;
  private final byte[] opening;

  /** Of which record the frames were made last; null before the first. */
  private @Nullable Entry encoded;

  private @Nullable Frame whole;

  /** Null if there is none that is shorter than the whole record. */
  private @Nullable Frame delta;

  private boolean isCompared;

  /**
   * @param opening what messages of the filter begin with
   */
  GroupDeltas(Deltas deltas, String opening) {
    this.deltas = deltas;
    this.number = deltas.takeNumber();
    this.opening = opening.getBytes(StandardCharsets.UTF_8);
  }

  /** Nobody uses it any more. */
  void end() {
    deltas.giveBack(number);
  }

  /**
   * A record as a registration is sent it in its turn; null if it is not in order behind all before
   * it, so that none may be told by it.
   *
   * @param unbrokenFrom from this number on the registration was sent all of the ring that it means
   */
  @Nullable Frame frame(Entry entry, long unbrokenFrom) {
    if (entry.topicNumber() < 0 || entry.sequence() < unbrokenFrom) {
      return null;
    }
    if (encoded != entry) {
      encoded = entry;
      whole = null;
      delta = null;
      isCompared = false;
    }
    boolean hasBase = entry.baseSequence() >= 0 && entry.baseSequence() >= unbrokenFrom;
    Frame different = hasBase ? delta(entry) : null;
    if (different != null) {
      deltas.sent();
      return different;
    }
    return whole(entry);
  }

  private @Nullable Frame delta(Entry entry) {
    if (!isCompared) {
      isCompared = true;
      byte[] text = deltas.of(entry);
      if (text.length > 0 && text.length < entry.remainder().length) {
        TextBytes message = new TextBytes(text.length + 4);
        DeltaDigits.write(number, message);
        delta = Frame.ofRecord(NO_OPENING, message.add(text).toBytes());
      }
    }
    return delta;
  }

  private Frame whole(Entry entry) {
    Frame made = whole;
    if (made == null) {
      TextBytes text = new TextBytes(opening.length + entry.remainder().length + 8);
      DeltaDigits.write(number, text);
      DeltaDigits.write(entry.topicNumber(), text);
      made = Frame.ofRecord(NO_OPENING, text.add(opening).add(entry.remainder()).toBytes());
      whole = made;
    }
    return made;
  }
}
