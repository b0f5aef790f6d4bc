package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Batch;
import io.galop.record.DoorStamp;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import io.galop.record.TraceContext;
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

  private static final TraceContext TRACE = new TraceContext(-7, 8, Long.MIN_VALUE + 9, 0x81);

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
  void aTraceTravelsBehindItsStamp() {
    assertEquals(STAMP.traced(TRACE), read(bytes(PLAIN.stamped(STAMP.traced(TRACE)))).stamp());
  }

  @Test
  void aVersionWithoutTracesReadsAndSendsTheSameBytesAsBefore() {
    Buffer before = bytes(PLAIN.stamped(STAMP));
    Buffer now = bytes(PLAIN.stamped(STAMP.traced(TRACE)));
    assertEquals(before, now.slice(0, before.length()));
    assertEquals(before.length() + 25, now.length());
    assertEquals(STAMP, read(before).stamp());
  }

  @Test
  void overALinkATraceIsTheLastOfAMessageToo() {
    Push.Part part = new Push.Part(4, AT, List.of(new Placed(AT, RECORD)));
    for (DoorStamp stamp : List.of(STAMP, STAMP.traced(TRACE))) {
      Push push = new Push(7, AT, AT, PLAIN.stamped(stamp));
      assertEquals(stamp, overALink(Errand.Kind.PUSH, push).batch().stamp());
      assertEquals(stamp, overALink(Errand.Kind.PART, push.with(part)).batch().stamp());
    }
  }

  private static Push overALink(Errand.Kind kind, Push push) {
    LinkFrame sent = new LinkFrame.Request(9, new Errand(kind, "", 5_000, push));
    LinkFrame.Request read = (LinkFrame.Request) LinkFrame.of(sent.toBuffer());
    return (Push) read.errand().message();
  }

  @Test
  void aBatchKeepsItsStampInAnotherEpochAndInPart() {
    Batch stamped = PLAIN.stamped(STAMP);
    assertEquals(STAMP, stamped.inEpoch(12).stamp());
    assertEquals(STAMP, stamped.from(1).stamp());
    assertEquals(PLAIN.stamp(), PLAIN.stamped(DoorStamp.NONE).stamp());
  }
}
