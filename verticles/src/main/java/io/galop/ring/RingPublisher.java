package io.galop.ring;

import java.io.IOException;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * A producer's side of a ring: puts records in and learns which are settled, that is on disk or
 * refused. Records stay in the ring until then, also while the node is away, so nothing has to be
 * sent again but what was never taken. For one thread; a ring has one producer at a time.
 *
 * <pre>{@code
 * try (RingPublisher ring = RingPublisher.open(Path.of("/dev/shm/galop.ring"))) {
 *   while (!ring.offer(topic, id, RingPublisher.NO_TIME, data)) Thread.onSpinWait();
 *   while (ring.settled() < ring.offered()) Thread.onSpinWait();
 *   ring.poll((number, reason, detail) -> System.err.println(number + " " + reason));
 * }
 * }</pre>
 *
 * <p>The JVM needs {@code --add-opens java.base/jdk.internal.misc=ALL-UNNAMED}.
 */
public final class RingPublisher implements AutoCloseable {
  /** Says that no time is given: the record gets that of its arrival. */
  public static final long NO_TIME = -1;

  private static final int MOST_BYTES = 0xffff;
  private static final long SILENCE_MS = 5_000;

  /** Takes what was refused. */
  public interface OnRejected {
    /**
     * A record was refused.
     *
     * @param number which of this publisher's, from 1
     * @param reason a stable word
     * @param detail which field, which rule and what to do
     */
    void onRejected(long number, String reason, String detail);
  }

  private final RingFile file;
  private final OneToOneRingBuffer ring;
  private final OneToOneRingBuffer answers;
  private final UnsafeBuffer buffer;
  private final int maxMessageBytes;
  private final long base;
  private final long droppedBefore;
  private long offered;

  private RingPublisher(RingFile file) {
    this.file = file;
    this.ring = file.records.ring();
    this.answers = file.answers.ring();
    this.buffer = file.records.buffer();
    this.maxMessageBytes = file.sizes().maxMessageBytes();
    long session = file.header.getAndAddLong(RingLayout.SESSION_AT, 1) + 1;
    this.base = session << RingLayout.SESSION_SHIFT;
    this.droppedBefore = dropped();
  }

  /**
   * Attaches to a ring that a node has made; blocks shortly.
   *
   * @throws IOException in a sentence, if there is none, it has another layout or another producer
   */
  public static RingPublisher open(Path path) throws IOException {
    return new RingPublisher(RingFile.attach(path));
  }

  /**
   * Puts a record in.
   *
   * @param topic in UTF-8
   * @param id in UTF-8; empty: the node makes one, the same each time that it reads the record
   * @param timeUs event time in microseconds since 1970, or {@link #NO_TIME}
   * @param data a JSON object
   * @return whether there was room; if not, nothing has happened
   * @throws IllegalArgumentException if it is larger than the ring takes
   */
  public boolean offer(byte[] topic, byte[] id, long timeUs, byte[] data) {
    if (topic.length > MOST_BYTES || id.length > MOST_BYTES) {
      throw new IllegalArgumentException("topic and id have at most 65535 bytes each");
    }
    int length = RingLayout.TEXTS_AT + topic.length + id.length + data.length;
    int at = claim(RingLayout.RECORD, length);
    if (at < 0) {
      return false;
    }
    buffer.putLong(at + RingLayout.TIME_AT, timeUs);
    buffer.putShort(at + RingLayout.TOPIC_LENGTH_AT, (short) topic.length);
    buffer.putShort(at + RingLayout.ID_LENGTH_AT, (short) id.length);
    buffer.putInt(at + RingLayout.DATA_LENGTH_AT, data.length);
    int text = at + RingLayout.TEXTS_AT;
    buffer.putBytes(text, topic);
    buffer.putBytes(text + topic.length, id);
    buffer.putBytes(text + topic.length + id.length, data);
    ring.commit(at);
    return true;
  }

  /** The same for a line {@code {"topic":…,"data":{…},"id":…,"time":…}} in UTF-8. */
  public boolean offerLine(byte[] line) {
    int at = claim(RingLayout.LINE, RingLayout.LINE_TEXT_AT + line.length);
    if (at < 0) {
      return false;
    }
    buffer.putBytes(at + RingLayout.LINE_TEXT_AT, line);
    ring.commit(at);
    return true;
  }

  private int claim(int type, int length) {
    if (length > maxMessageBytes) {
      throw new IllegalArgumentException(
          "the record needs %d bytes, more than the %d that the ring takes; send less data, or raise ingest.ring.maxMessageBytes"
              .formatted(length, maxMessageBytes));
    }
    int at = ring.tryClaim(type, length);
    if (at >= 0) {
      buffer.putLong(at + RingLayout.SEQUENCE_AT, base + ++offered);
    }
    return at;
  }

  /** How many records this publisher has put in. */
  public long offered() {
    return offered;
  }

  /** How many of them, in order, are settled: on disk or refused. */
  public long settled() {
    return Math.max(0, file.header.getLongVolatile(RingLayout.SETTLED_AT) - base);
  }

  /** Hands on what was refused since the last call; at most {@code most}. How many that were. */
  public int poll(OnRejected onRejected, int most) {
    return answers.read(
        (type, from, at, length) -> {
          long number = from.getLong(at + RingLayout.SEQUENCE_AT) - base;
          int reason = from.getInt(at + RingLayout.REASON_LENGTH_AT);
          int detail = from.getInt(at + RingLayout.DETAIL_LENGTH_AT);
          int text = at + RingLayout.REASON_AT;
          if (number > 0) {
            onRejected.onRejected(
                number,
                from.getStringWithoutLengthUtf8(text, reason),
                from.getStringWithoutLengthUtf8(text + reason, detail));
          }
        },
        most);
  }

  /** How many rejections there was no room for, because they were not polled. */
  public long rejectionsDropped() {
    return dropped() - droppedBefore;
  }

  private long dropped() {
    return file.header.getLongVolatile(RingLayout.DROPPED_AT);
  }

  /** Whether a node reads the ring; where none does, records wait for it. */
  public boolean isServed() {
    long heard = file.header.getLongVolatile(RingLayout.HEARTBEAT_AT);
    return file.header.getIntVolatile(RingLayout.STATE_AT) == RingLayout.SERVED
        && System.currentTimeMillis() - heard < SILENCE_MS;
  }

  /** Lets another producer attach; what is in the ring stays there. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
