package io.galop.ingest.ring;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.parse.Envelope;
import io.galop.ingest.parse.JsonScanner;
import io.galop.ingest.parse.RecordReader;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.galop.ring.RingMessages;
import io.galop.ring.RingReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Objects;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes Records of a ring's messages. A record without an id gets one of the ring and its place in
 * it, so that it has the same one whenever it is read.
 */
final class RingRecords implements RingReader.Handler {
  private static final int RADIX = 36;
  private static final String WRONG_LENGTHS =
      "the lengths of the message do not add up to its size; write it as docs/protocol.md says";

  private final RecordReader reader;
  private final String prefix;
  private long sequence;

  /** Where records go; null before the first batch. */
  private @Nullable RingBatch batch;

  /** What has been settled though something before it has not, and is passed over. */
  private final IntHashSet done = new IntHashSet();

  RingRecords(IngestConfig config, int shards, long ringId) {
    this.prefix = "ring-" + Long.toString(ringId, RADIX) + "-";
    this.reader =
        new RecordReader(
            config, shards, Clock.systemUTC(), () -> prefix + Long.toString(sequence, RADIX));
  }

  /** Where records go from now on. */
  void into(RingBatch next) {
    batch = next;
  }

  /** Of a batch that is read again: what of it is settled does not go on a second time. */
  void keep(RingBatch readAgain) {
    done.addAll(readAgain.placesDone());
  }

  /** The batch is settled: its places are given back. */
  void forget(RingBatch settled) {
    if (!done.isEmpty()) {
      settled.places().forEach(done::remove);
    }
  }

  @Override
  public void onMessage(int type, UnsafeBuffer from, int at, int length) {
    sequence = RingMessages.sequence(from, at, length);
    int line = batch().next(sequence, at);
    if (done.contains(at)) {
      return;
    }
    if (RingMessages.isRecord(type, length)) {
      record(from, at, length, line);
    } else if (RingMessages.isLine(type, length)) {
      byte[] text = RingMessages.line(from, at, length);
      reader.readLine(text, 0, text.length, line, batch().collected());
    } else {
      reject(line, Reason.MALFORMED, "a ring holds no messages of type " + type + " and this size");
    }
  }

  private RingBatch batch() {
    return Objects.requireNonNull(batch, "the ring is read into a batch only");
  }

  private void record(UnsafeBuffer from, int at, int length, int line) {
    if (!RingMessages.addsUp(from, at, length)) {
      reject(line, Reason.MALFORMED, WRONG_LENGTHS);
      return;
    }
    byte[] id = RingMessages.id(from, at);
    long timeUs = RingMessages.timeUs(from, at);
    if (!JsonScanner.isUtf8(id)) {
      reject(line, Reason.BAD_ID, "field 'id' is not UTF-8; encode it so");
    } else if (timeUs < RecordReader.NO_TIME || timeUs > Envelope.LATEST_US) {
      reject(line, Reason.BAD_TIME, Envelope.TIME_RULE);
    } else {
      byte[] topic = RingMessages.topic(from, at);
      byte[] data = RingMessages.data(from, at);
      String text = new String(id, StandardCharsets.UTF_8);
      reader.readParts(topic, text, timeUs, data, line, batch().collected());
    }
  }

  private void reject(int line, Reason reason, String detail) {
    batch().collected().reject(new Rejection(line, reason, detail));
  }
}
