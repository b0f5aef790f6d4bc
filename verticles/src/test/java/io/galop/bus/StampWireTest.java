package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of versions with and without stamps read each other's Batches. */
@Timeout(180)
class StampWireTest {
  private static final Position AT = new Position(3, 9, 17);
  private static final Record RECORD = new Record("id", "a/ü", 5, new byte[] {'{', '}'});
  private static final Batch PLAIN = new Batch(3, 9, 18, List.of(RECORD, RECORD));
  private static final DoorStamp STAMP = new DoorStamp("node-7", "tcp", 1_700_000_000_123_456L);

  private static Buffer bytes(Batch batch) {
    Buffer to = Buffer.buffer("header");
    Codecs.writePush(to, new Push(7, AT, AT, batch));
    return to;
  }

  private static Batch read(Buffer from) {
    return Codecs.readPush(new Wire.Reader(from, "header".length())).batch();
  }

  @Test
  void aStampTravelsBehindItsBatch() {
    Batch read = read(bytes(PLAIN.stamped(STAMP)));
    assertEquals(STAMP, read.stamp());
    assertEquals(PLAIN.position(1), read.position(1));
    assertEquals("id", read.records().get(1).id());
  }

  @Test
  void whatAnOlderVersionSendsHasNone() {
    assertTrue(read(bytes(PLAIN)).stamp().isNone());
  }

  @Test
  void anOlderVersionReadsTheSameBytesAsBefore() {
    Buffer before = bytes(PLAIN);
    Buffer now = bytes(PLAIN.stamped(STAMP));
    assertEquals(before, now.slice(0, before.length()));
    int start = "header".length() + 8 + 20 + 20;
    assertEquals(before.length() - start, RecordCodec.batchLength(now, start));
    assertEquals(2, RecordCodec.readBatch(now, start).records().size());
  }

  @Test
  void aBatchKeepsItsStampInAnotherEpochAndInPart() {
    Batch stamped = PLAIN.stamped(STAMP);
    assertEquals(STAMP, stamped.inEpoch(12).stamp());
    assertEquals(STAMP, stamped.from(1).stamp());
    assertEquals(PLAIN.stamp(), PLAIN.stamped(DoorStamp.NONE).stamp());
  }
}
