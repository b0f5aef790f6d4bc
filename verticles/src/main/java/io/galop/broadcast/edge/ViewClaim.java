package io.galop.broadcast.edge;

import io.galop.record.View;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the claim {@code view}, which lowers what a viewer gets: {@code {"maxRate":2.5,
 * "maxBytesPerSecond":20000,"omit":["stake"]}}. What is not known here would lower it too, so such
 * a token is refused.
 */
final class ViewClaim {
  private static final int MOST_FIELDS = 100;
  private static final int MOST_CHARACTERS = 256;
  private static final double HIGHEST_RATE = 1_000_000;
  private static final double LOWEST_RATE = 0.001;
  private static final long MOST_BYTES = 1_000_000_000;
  private static final long LEAST_BYTES = 100;
  private static final List<String> NAMES = List.of("maxRate", "maxBytesPerSecond", "omit");

  private ViewClaim() {}

  static View read(JsonObject claims) throws TokenRefused {
    if (!claims.containsKey("view")) {
      return View.WHOLE;
    }
    if (!(claims.getValue("view") instanceof JsonObject view)) {
      throw refused("must be an object");
    }
    for (String name : view.fieldNames()) {
      if (!NAMES.contains(name)) {
        throw refused("may hold " + NAMES + "; '" + name + "' is not known here");
      }
    }
    return new View(maxRate(view), maxBytesPerSecond(view), omit(view));
  }

  private static double maxRate(JsonObject view) throws TokenRefused {
    if (!view.containsKey("maxRate")) {
      return 0;
    }
    double rate = view.getValue("maxRate") instanceof Number n ? n.doubleValue() : Double.NaN;
    if (rate >= LOWEST_RATE && rate <= HIGHEST_RATE) {
      return rate;
    }
    throw refused("must have a maxRate from 0.001 to 1000000, records per second");
  }

  private static long maxBytesPerSecond(JsonObject view) throws TokenRefused {
    if (!view.containsKey("maxBytesPerSecond")) {
      return 0;
    }
    Object value = view.getValue("maxBytesPerSecond");
    long bytes =
        value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : 0;
    if (bytes >= LEAST_BYTES && bytes <= MOST_BYTES) {
      return bytes;
    }
    throw refused("must have a maxBytesPerSecond from 100 to 1000000000, a whole number");
  }

  private static Set<String> omit(JsonObject view) throws TokenRefused {
    Object fields = view.getValue("omit", new JsonArray());
    if (!(fields instanceof JsonArray several) || several.size() > MOST_FIELDS) {
      throw refused("must have as omit a list of at most " + MOST_FIELDS + " names of fields");
    }
    Set<String> names = new HashSet<>();
    for (Object field : several) {
      if (!(field instanceof String name) || name.length() > MOST_CHARACTERS) {
        throw refused("must have as omit names of at most " + MOST_CHARACTERS + " characters");
      }
      names.add(name);
    }
    return names;
  }

  private static TokenRefused refused(String what) {
    return TokenRefused.invalid("the token's view " + what);
  }
}
