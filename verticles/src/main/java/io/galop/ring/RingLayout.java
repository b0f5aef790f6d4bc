package io.galop.ring;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;

/**
 * What stands where in a ring's file: a header, the ring of records, the ring of answers. Numbers
 * are little-endian, offsets in bytes from the start. Part of the outside contract, so a change is
 * another {@link #VERSION}.
 */
final class RingLayout {
  /** The letters GALOPRNG. */
  static final long MAGIC = 0x474e52504f4c4147L;

  static final int VERSION = 1;
  static final int HEADER_BYTES = 4096;
  static final int ANSWERS_CAPACITY = 1 << 18;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int MAX_MESSAGE_AT = 12;
  static final int CAPACITY_AT = 16;
  static final int ANSWERS_CAPACITY_AT = 20;
  static final int RING_ID_AT = 24;
  static final int BOOT_ID_AT = 32;
  static final int FIXED_BYTES = 40;

  static final int HEARTBEAT_AT = 128;
  static final int STATE_AT = 136;
  static final int SETTLED_AT = 256;
  static final int DROPPED_AT = 264;
  static final int SESSION_AT = 384;

  /** No node reads the ring. */
  static final int AWAY = 0;

  /** A node reads it, as long as its heartbeat goes on. */
  static final int SERVED = 1;

  /** What stands in it makes no sense; no node will read it. */
  static final int DAMAGED = 2;

  /** A record in parts; see {@link RingPublisher#offer}. */
  static final int RECORD = 1;

  /** A record as a JSON object; see {@link RingPublisher#offerLine}. */
  static final int LINE = 2;

  /** A record was refused. */
  static final int REJECTED = 1;

  static final int SEQUENCE_AT = 0;
  static final int TIME_AT = 8;
  static final int TOPIC_LENGTH_AT = 16;
  static final int ID_LENGTH_AT = 18;
  static final int DATA_LENGTH_AT = 20;
  static final int TEXTS_AT = 24;
  static final int LINE_TEXT_AT = 8;

  static final int REASON_LENGTH_AT = 8;
  static final int DETAIL_LENGTH_AT = 12;
  static final int REASON_AT = 16;

  /** Sequences of a producer's session begin at its number times this. */
  static final int SESSION_SHIFT = 40;

  private RingLayout() {}

  static long fileBytes(int capacity, int answersCapacity) {
    return (long) HEADER_BYTES + capacity + TRAILER_LENGTH + answersCapacity + TRAILER_LENGTH;
  }

  static int answersAt(int capacity) {
    return HEADER_BYTES + capacity + TRAILER_LENGTH;
  }
}
