package io.galop.broadcast.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.deflate.LoopDeflate;
import io.galop.broadcast.deflate.TestDeflate;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Framing;
import io.galop.record.Position;
import io.galop.record.Record;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

/** Who shares bytes. */
class BundleTest {
  private static final UnpooledByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

  @Test
  void sameFramesInTheSameOrderAreOneBundleWithTheSameBytes() {
    Tick tick = new Tick(1);
    Frame a = Frame.ofControl("x");
    Frame b = Frame.ofControl("xx");
    Bundle first = tick.hold().with(a).with(b);
    Bundle second = tick.hold().with(a).with(b);
    Bundle other = tick.hold().with(b).with(a);
    assertSame(first, second);
    assertNotSame(first, other);
    assertSame(first, tick.bundle(first.number()));
    ByteBuf bytes = first.encoded(Framing.SOCKJS, ALLOCATOR);
    assertSame(bytes, second.encoded(Framing.SOCKJS, ALLOCATOR));
    ByteBuf others = other.encoded(Framing.SOCKJS, ALLOCATOR);
    first.letGo();
    second.letGo();
    assertEquals(1, bytes.refCnt());
    other.letGo();
    assertEquals(0, bytes.refCnt());
    assertEquals(0, others.refCnt());
    assertNotSame(first, tick.hold().with(a).with(b));
  }

  private static Frame record(String topic, String id) {
    Record record = new Record(id, topic, 1, "{}".getBytes(UTF_8));
    return Frame.ofRecord(
        new Frame.Opening("#", "{\"body\":"), Entry.of(new Position(1, 1, 1), record).remainder());
  }

  @Test
  void clientsOfMqttAreKeptFromWhatEndsTheirConnection() {
    Bundle none = new Tick(0).hold();
    Bundle plain = none.with(Frame.ofControl("x")).with(record("a", "1"));
    assertTrue(plain.areTaken(false) && plain.areTaken(true));
    Bundle strangeId = plain.with(record("a", "\u0085"));
    for (int again = 0; again < 2; again++) {
      assertTrue(strangeId.areTaken(false), "ids are told to MQTT 5 only");
      assertFalse(strangeId.areTaken(true));
    }
    Bundle strangeTopic = plain.with(record("a/\u0085", "1"));
    assertFalse(strangeTopic.areTaken(false) || strangeTopic.areTaken(true));
  }

  @Test
  void compressedBytesAreMadeOnceAndReleasedWithTheOthers() {
    LoopDeflate deflate = TestDeflate.open();
    Tick tick = new Tick(1);
    Frame a = Frame.ofControl("x".repeat(1000));
    Bundle first = tick.hold().with(a);
    Bundle second = tick.hold().with(a);
    ByteBuf plain = first.encoded(Framing.SOCKJS, ALLOCATOR);
    ByteBuf bytes = first.deflated(Framing.SOCKJS, deflate.out(), ALLOCATOR);
    assertSame(bytes, second.deflated(Framing.SOCKJS, deflate.out(), ALLOCATOR));
    assertNotSame(bytes, first.deflated(Framing.RAW, deflate.out(), ALLOCATOR));
    assertTrue(bytes.readableBytes() < 100, "compressed");
    first.letGo();
    assertEquals(1, bytes.refCnt());
    second.letGo();
    assertEquals(0, bytes.refCnt());
    assertEquals(0, plain.refCnt());
    deflate.close();
  }

  @Test
  void whatStaysAsItIsIsReleasedAsOften() {
    LoopDeflate deflate = TestDeflate.open();
    Bundle bundle = new Tick(0).hold().with(Frame.ofControl("x"));
    ByteBuf bytes = bundle.deflated(Framing.RAW, deflate.out(), ALLOCATOR);
    assertSame(bytes, bundle.encoded(Framing.RAW, ALLOCATOR));
    bundle.letGo();
    assertEquals(0, bytes.refCnt());
    deflate.close();
  }
}
