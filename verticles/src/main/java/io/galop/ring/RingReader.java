package io.galop.ring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * A node's side of a ring. It reads ahead and gives the room back later, when what it has read is
 * settled: a node that dies before finds the rest there when it starts again. For one thread.
 */
public final class RingReader implements AutoCloseable {
  /** Takes messages; their bytes are good until the call returns. */
  public interface Handler {
    /**
     * A message.
     *
     * @param from where it stands
     * @param at its first byte
     * @param length how many bytes it has
     */
    void onMessage(int type, UnsafeBuffer from, int at, int length);
  }

  private final RingFile file;
  private final RingMemory records;
  private final OneToOneRingBuffer answers;
  private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer();
  private long position;

  private RingReader(RingFile file) {
    this.file = file;
    this.records = file.records;
    this.answers = file.answers.ring();
    this.position = records.head();
  }

  /**
   * Opens a ring, and makes it where there is none; blocks.
   *
   * @throws IOException in a sentence, if the file is another ring's or is in use
   */
  public static RingReader open(Path path, RingSizes sizes) throws IOException {
    RingReader reader = new RingReader(RingFile.serve(path, sizes));
    reader.beat(System.currentTimeMillis());
    reader.file.header.putIntVolatile(RingLayout.STATE_AT, RingLayout.SERVED);
    return reader;
  }

  /** A number of this ring that no other has. */
  public long ringId() {
    return file.header.getLong(RingLayout.RING_ID_AT);
  }

  /** Tells the producer that the node is there. */
  public void beat(long nowMs) {
    file.header.putLongVolatile(RingLayout.HEARTBEAT_AT, nowMs);
  }

  /**
   * Hands on what is there and was not read yet.
   *
   * @return how many messages
   * @throws RingException if the ring is damaged
   */
  public int read(Handler handler, int mostMessages, int mostBytes) throws RingException {
    int messages = 0;
    long from = position;
    try {
      while (messages < mostMessages && position - from < mostBytes) {
        int length = records.lengthAt(position);
        if (length == 0) {
          break;
        }
        messages += take(handler, records.index(position));
        position += length;
      }
    } catch (RingException e) {
      if (messages == 0) {
        throw e; // what stands before the damage is good
      }
    }
    return messages;
  }

  private int take(Handler handler, int index) {
    int type = records.type(index);
    if (type == RingBuffer.PADDING_MSG_TYPE_ID) {
      return 0;
    }
    int at = RecordDescriptor.encodedMsgOffset(index);
    handler.onMessage(type, records.buffer(), at, records.bodyLength(index));
    return 1;
  }

  /** How far the ring is read. */
  public long position() {
    return position;
  }

  /** How many bytes are in the ring, read or not, whose records are not settled. */
  public long unsettledBytes() {
    return records.tail() - records.head();
  }

  /**
   * Everything up to a position is on disk or refused: the producer may use the room again.
   *
   * @param sequence of the last record before it; one that no producer so far can have given, or
   *     that is before what is settled, tells nobody anything
   */
  public void settle(long upTo, long sequence) {
    records.head(upTo);
    long sessions = file.header.getLongVolatile(RingLayout.SESSION_AT);
    boolean isKnown = sequence < (sessions + 1) << RingLayout.SESSION_SHIFT;
    if (isKnown && sequence > file.header.getLong(RingLayout.SETTLED_AT)) {
      file.header.putLongVolatile(RingLayout.SETTLED_AT, sequence);
    }
  }

  /** Reads again from the first record that is not settled. */
  public void rewind() {
    position = records.head();
  }

  /** Tells the producer what was refused; false if there was no room, which it can see as well. */
  public boolean reject(long sequence, String reason, String detail) {
    int reasonLength = put(RingLayout.REASON_AT, reason);
    int detailLength = put(RingLayout.REASON_AT + reasonLength, detail);
    answer.putLong(RingLayout.SEQUENCE_AT, sequence);
    answer.putInt(RingLayout.REASON_LENGTH_AT, reasonLength);
    answer.putInt(RingLayout.DETAIL_LENGTH_AT, detailLength);
    int length = RingLayout.REASON_AT + reasonLength + detailLength;
    boolean written =
        length <= answers.maxMsgLength() && answers.write(RingLayout.REJECTED, answer, 0, length);
    if (!written) {
      file.header.getAndAddLong(RingLayout.DROPPED_AT, 1);
    }
    return written;
  }

  private int put(int at, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    answer.putBytes(at, utf8);
    return utf8.length;
  }

  /** Tells the producer that this ring is served no more. */
  public void damaged() {
    file.header.putIntVolatile(RingLayout.STATE_AT, RingLayout.DAMAGED);
  }

  @Override
  public void close() throws IOException {
    file.header.compareAndSetInt(RingLayout.STATE_AT, RingLayout.SERVED, RingLayout.AWAY);
    file.close();
  }
}
