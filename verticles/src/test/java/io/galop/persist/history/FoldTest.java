package io.galop.persist.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.fold.Aggregate;
import io.galop.persist.fold.Cell;
import io.galop.persist.fold.FieldPath;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Buckets equal those of a naive fold; points look like the whole; what is compressed comes back.
 */
@Timeout(180)
class FoldTest {
  private static final long EVERY_US = 1_000;

  private record Sample(String topic, long timeUs, double value) {
    byte[] data() {
      String text = Double.isNaN(value) ? "\"none\"" : Double.toString(value);
      return ("{\"other\":1,\"motor\":{\"celsius\":" + text + "}}").getBytes(UTF_8);
    }
  }

  private static List<Sample> samples(Random random) {
    List<Sample> samples = new ArrayList<>();
    long time = -5_000;
    for (int i = random.nextInt(400); i > 0; i--) {
      time += random.nextInt(10) == 0 ? random.nextInt(9_000) : random.nextInt(200);
      double value = random.nextInt(8) == 0 ? Double.NaN : random.nextInt(2_000) / 10.0 - 100;
      samples.add(new Sample("t/" + random.nextInt(3), time, value));
    }
    return samples;
  }

  /** By bucket and topic, the values in the order of their times. */
  private static Map<String, List<Double>> naive(List<Sample> samples) {
    Map<String, List<Double>> buckets = new TreeMap<>();
    for (Sample one : samples) {
      if (!Double.isNaN(one.value())) {
        long begin = one.timeUs() - Math.floorMod(one.timeUs(), EVERY_US);
        buckets
            .computeIfAbsent(begin + " " + one.topic(), key -> new ArrayList<>())
            .add(one.value());
      }
    }
    return buckets;
  }

  private static void assertEqual(List<Double> values, Cell cell, String where) {
    assertEquals(Collections.min(values), cell.get(Aggregate.MIN), where);
    assertEquals(Collections.max(values), cell.get(Aggregate.MAX), where);
    double mean = values.stream().mapToDouble(one -> one).average().orElseThrow();
    assertEquals(mean, cell.get(Aggregate.AVG), 1e-9, where);
    assertEquals(values.get(values.size() - 1), cell.get(Aggregate.LAST), where);
    assertEquals(values.size(), cell.get(Aggregate.COUNT), where);
  }

  @Test
  void anyRecordsFoldAsANaiveFoldDoesInBothOrders() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      List<Sample> samples = samples(random);
      Map<String, List<Double>> expected = naive(samples);
      boolean newestFirst = random.nextBoolean();
      if (newestFirst) {
        Collections.reverse(samples);
      }
      List<String> seen = new ArrayList<>();
      List<Long> begins = new ArrayList<>();
      String where = "seed " + seed;
      Fold fold =
          new Fold(
              EVERY_US,
              List.of("motor.celsius"),
              newestFirst,
              (beginUs, topics) -> {
                begins.add(beginUs);
                topics.forEach(
                    (topic, cells) -> {
                      seen.add(beginUs + " " + topic);
                      assertEqual(expected.get(beginUs + " " + topic), cells[0], where);
                    });
              });
      samples.forEach(one -> fold.add(one.topic(), one.timeUs(), one.data()));
      fold.end();
      assertEquals(expected.keySet(), new TreeSet<>(seen), where);
      assertEquals(expected.size(), seen.size(), where);
      List<Long> sorted = new ArrayList<>(begins);
      sorted.sort(newestFirst ? Collections.reverseOrder() : null);
      assertEquals(sorted, begins, where);
    }
  }

  @Test
  void aLongSumKeepsItsDigits() {
    Cell cell = new Cell();
    cell.add(1e16, 0, false);
    for (int i = 0; i < 10; i++) {
      cell.add(1, 0, false);
    }
    cell.add(-1e16, 0, false);
    assertEquals(10.0 / 12, cell.get(Aggregate.AVG));
  }

  @Test
  void onlyNumbersAtThePathCount() {
    for (String data :
        List.of(
            "{}",
            "{\"a\":1}",
            "{\"a\":{\"c\":1}}",
            "{\"a\":{\"b\":\"1\"}}",
            "{\"a\":{\"b\":null}}",
            "{\"a\":[\"b\",1]}",
            "{\"a\":{\"b\":1e999}}",
            "{\"a.b\":1}")) {
      assertTrue(Double.isNaN(new FieldPath("a.b").number(data.getBytes(UTF_8))), data);
    }
    byte[] there = "{\"a\": {\"x\":{\"b\":9}, \"b\" : -1.5e1}}".getBytes(UTF_8);
    assertEquals(-15, new FieldPath("a.b").number(there));
    assertEquals("9", new FieldPath("a.x.b").text(there));
    assertEquals("", new FieldPath("a.y").text(there));
  }

  @Test
  void aBucketOfTooManyTopicsIsRefused() {
    Fold fold = new Fold(EVERY_US, List.of("n"), false, (begin, topics) -> {});
    byte[] data = "{\"n\":1}".getBytes(UTF_8);
    for (int i = 0; i < Fold.MOST_CELLS; i++) {
      fold.add("t" + i, 5, data);
    }
    fold.add("t0", 6, data);
    Exception e = assertThrows(IllegalArgumentException.class, () -> fold.add("one", 7, data));
    assertTrue(e.getMessage().contains("ask for fewer topics or fields"), e.getMessage());
  }

  @Test
  void thePointsHaveTheEndsAndThePeaks() {
    Triangles plot = new Triangles(50);
    for (int i = 0; i < 3_000; i++) {
      plot.add(i * 1_000L, i == 1_234 ? 99 : i == 2_345 ? -99 : Math.sin(i / 100.0));
    }
    int[] chosen = plot.chosen();
    assertEquals(50, chosen.length);
    assertEquals(0, chosen[0]);
    assertEquals(2_999, chosen[49]);
    List<Double> values = new ArrayList<>();
    for (int i = 1; i < chosen.length; i++) {
      assertTrue(chosen[i] > chosen[i - 1]);
      values.add(plot.value(chosen[i]));
    }
    assertTrue(values.contains(99.0) && values.contains(-99.0), values.toString());
    assertFalse(plot.isReduced());
  }

  @Test
  void fewerValuesThanPointsAllStay() {
    for (int count = 0; count <= 4; count++) {
      Triangles plot = new Triangles(4);
      for (int i = 0; i < count; i++) {
        plot.add(i, i);
      }
      assertEquals(count, plot.chosen().length);
    }
  }

  @Test
  void whatIsHeldForPointsIsBoundedAndKeepsExtremes() {
    Triangles plot = new Triangles(10);
    for (int i = 0; i < 100_000; i++) {
      plot.add(i, i == 0 ? 5 : i == 77_777 ? 1_000 : i == 7 ? -1_000 : i % 3);
      assertTrue(plot.size() <= Triangles.HELD * 10);
    }
    assertTrue(plot.isReduced());
    List<Double> values = new ArrayList<>();
    for (int i : plot.chosen()) {
      values.add(plot.value(i));
    }
    assertEquals(10, values.size());
    assertTrue(values.contains(1_000.0) && values.contains(-1_000.0), values.toString());
    assertEquals(5, values.get(0));
    assertEquals(0, plot.timeUs(0));
  }

  @Test
  void piecesOfAnySizeComeBackFromGzip() throws Exception {
    Random random = new Random(1);
    for (int pieces = 1; pieces < 6; pieces++) {
      Buffer whole = Buffer.buffer();
      Buffer packed = Buffer.buffer();
      try (Gzip gzip = new Gzip()) {
        for (int i = 1; i <= pieces; i++) {
          byte[] piece = new byte[random.nextInt(100_000)];
          random.nextBytes(piece);
          Arrays.fill(piece, piece.length / 2, piece.length, (byte) 'x');
          whole.appendBytes(piece);
          packed.appendBuffer(gzip.next(piece, i == pieces));
        }
        assertTrue(gzip.isClosed(), "its memory is free after the last piece");
        assertEquals(0, gzip.next(new byte[9], true).length(), "and it takes no more");
      }
      byte[] unpacked =
          new GZIPInputStream(new ByteArrayInputStream(packed.getBytes())).readAllBytes();
      assertArrayEquals(whole.getBytes(), unpacked);
    }
  }

  /** A clock that counts whole seconds gives many values one time. */
  @Test
  void peaksStayWhereTimesAreEqual() {
    Triangles points = new Triangles(10);
    int count = 10 * Triangles.HELD * 8;
    for (int i = 0; i < count; i++) {
      points.add(i / 40, i == count - 777 ? 99 : i % 3);
    }
    assertTrue(points.isReduced());
    double peak = 0;
    for (int i = 0; i < points.size(); i++) {
      peak = Math.max(peak, points.value(i));
    }
    assertEquals(99, peak);
  }
}
