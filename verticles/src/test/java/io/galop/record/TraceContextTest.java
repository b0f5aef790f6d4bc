package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What W3C Trace Context calls a traceparent, and what it does not. */
@Timeout(180)
class TraceContextTest {
  private static final String TRACE = "f0f7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";
  private static final String WHOLE = "00-" + TRACE + "-" + SPAN + "-01";

  private static TraceContext read(String text) {
    TraceContext read = TraceContext.parse(text);
    assertNotNull(read, text);
    return read;
  }

  @Test
  void itsIdsAreThoseThatWereSent() {
    TraceContext trace = read(WHOLE);
    assertEquals(TRACE, trace.traceId());
    assertEquals(SPAN, trace.parentSpanId());
    assertEquals(1, trace.flags());
    assertTrue(trace.isSampled());
    assertEquals(0xff, read("00-" + TRACE + "-" + SPAN + "-ff").flags());
    assertEquals(
        "0".repeat(31) + "1", read("00-" + "0".repeat(31) + "1-" + SPAN + "-01").traceId());
  }

  @Test
  void onlyTheSampledFlagSaysThatItIsCollected() {
    assertFalse(read("00-" + TRACE + "-" + SPAN + "-00").isSampled());
    assertFalse(read("00-" + TRACE + "-" + SPAN + "-02").isSampled());
    assertTrue(read("00-" + TRACE + "-" + SPAN + "-03").isSampled());
  }

  private static TraceContext of(long high, long low) {
    return new TraceContext(high, low, 1, 1);
  }

  private static int kept(LongStream lows, int every) {
    return (int) lows.filter(low -> of(1, low).isOneIn(every)).count();
  }

  /** Whatever the ids are like: drawn by lot, counted, or those that a ratio has left. */
  @Test
  void oneInSoManyIsKept() {
    Supplier<LongStream> drawn = () -> new Random(1).longs(100_000);
    assertEquals(100_000, kept(drawn.get(), 1));
    assertEquals(10_000, kept(drawn.get(), 10), 500);
    assertEquals(10_000, kept(LongStream.range(0, 100_000), 10), 500);
    assertEquals(10_000, kept(drawn.get().map(low -> low >>> 8), 10), 500);
    long ofHighHalves =
        LongStream.rangeClosed(1, 100_000).filter(high -> of(high, 0).isOneIn(10)).count();
    assertEquals(10_000, ofHighHalves, 500);
    assertEquals(0, kept(LongStream.range(0, 100), 1_000_000));
  }

  @Test
  void theIdAloneDecidesWhichAreKept() {
    TraceContext one = read("00-" + TRACE + "-" + SPAN + "-01");
    TraceContext other = read("00-" + TRACE + "-00f067aa0ba902b7-03");
    for (int every = 1; every < 100; every++) {
      assertEquals(one.isOneIn(every), other.isOneIn(every));
    }
    // Nodes of all versions have to agree on these.
    List<Long> kept = LongStream.range(0, 30).filter(low -> of(1, low).isOneIn(4)).boxed().toList();
    assertEquals(List.of(2L, 13L, 20L, 26L, 28L, 29L), kept);
    assertTrue(
        new Random(2)
            .longs(10_000)
            .filter(low -> of(1, low).isOneIn(8))
            .allMatch(low -> of(1, low).isOneIn(7)));
  }

  @Test
  void ofALaterVersionItsBeginningIsRead() {
    assertEquals(TRACE, read("01-" + TRACE + "-" + SPAN + "-01").traceId());
    assertEquals(SPAN, read("cc-" + TRACE + "-" + SPAN + "-01-what-follows").parentSpanId());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
        "00-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "00-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "01-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
        "ff-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "0g-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-F0F7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-f0f7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00_f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-f0f7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
        "00-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01",
        "00-f0f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00-\u0660\u0660f7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      })
  void anythingElseIsNone(String text) {
    assertNull(TraceContext.parse(text));
  }
}
