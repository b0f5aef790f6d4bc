package io.galop.e2e;

import java.io.IOException;
import java.util.List;
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

  static Lag of(GalopProcess node, String store) throws IOException, InterruptedException {
    String metrics = Stored.get(node.management("/metrics")).body();
    return of(metrics, store);
  }

  private static Lag of(String metrics, String store) {
    long stored = value(metrics, "stored_total", store) + value(metrics, "known_total", store);
    return new Lag(
        value(metrics, "lag_records", store), value(metrics, "lag_bytes", store), stored);
  }

  /** How many bytes the store that is behind most is. */
  static long most(GalopProcess node, List<String> stores)
      throws IOException, InterruptedException {
    String metrics = Stored.get(node.management("/metrics")).body();
    return stores.stream().mapToLong(store -> of(metrics, store).bytes()).max().orElse(0);
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
