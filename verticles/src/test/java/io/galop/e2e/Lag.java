package io.galop.e2e;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a store is behind the Log, as the node's own meters say.
 *
 * @param records about how many are not stored
 * @param stored how many were stored since the node's start, those sent again included
 */
record Lag(long records, long bytes, long stored) {
  private static final String METER = "galop_persist_sink_";
  private static final long LOOK_EVERY_MS = 50;

  static Lag of(GalopProcess node, String store) throws IOException, InterruptedException {
    String metrics = Stored.get(node.management("/metrics")).body();
    return of(metrics, store);
  }

  private static Lag of(String metrics, String store) {
    long stored = value(metrics, "stored_total", store) + value(metrics, "known_total", store);
    return new Lag(
        value(metrics, "lag_records", store), value(metrics, "lag_bytes", store), stored);
  }

  /** Waits until no store is behind; fails when so long none has come nearer to it. */
  static void awaitNone(GalopProcess node, List<String> stores, int patienceSeconds)
      throws InterruptedException {
    long least = Long.MAX_VALUE;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    Map<String, String> last = new TreeMap<>();
    while (least > 0) {
      long now = System.nanoTime();
      long sum = sum(node, stores, last);
      if (sum < least) {
        least = sum;
        deadline = now + TimeUnit.SECONDS.toNanos(patienceSeconds);
      } else if (now - deadline > 0) {
        String why = "for " + patienceSeconds + " s no store came nearer: " + last;
        throw new AssertionError(why + "\n" + node.text());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  /** All stores' bytes; what is known of each, or why it is not, is left in {@code last}. */
  private static long sum(GalopProcess node, List<String> stores, Map<String, String> last)
      throws InterruptedException {
    try {
      String metrics = Stored.get(node.management("/metrics")).body();
      long sum = 0;
      for (String store : stores) {
        Lag lag = of(metrics, store);
        last.put(store, lag.toString());
        sum += lag.bytes();
      }
      return sum;
    } catch (IOException e) {
      last.put("the node", e.toString());
      return Long.MAX_VALUE;
    }
  }

  private static long value(String metrics, String name, String store) {
    Matcher line =
        Pattern.compile("(?m)^" + METER + name + "\\{[^}]*sink=\"" + store + "\"[^}]*} (\\S+)$")
            .matcher(metrics);
    if (!line.find()) {
      throw new AssertionError("no " + name + " of " + store + " among\n" + metrics);
    }
    return (long) Double.parseDouble(line.group(1));
  }
}
