package io.galop.config;

import io.galop.yaml.Problems;
import io.galop.yaml.Slot;
import io.galop.yaml.Value;
import io.galop.yaml.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The environment variables: {@code GALOP_HTTP_PORT} is {@code http.port}. */
final class Variables {
  private static final String PREFIX = "GALOP_";
  private static final String LOG_FORMAT = "GALOP_LOG_FORMAT";
  private static final Set<String> LOG_FORMATS = Set.of("text", "json");

  /** Read by scripts, the log and tests, not by the configuration; each with what it is for. */
  static final Map<String, String> OTHERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "GALOP_VIEWER_TOKEN",
                  "the viewer's token of `galop subscribe`, `history` and `dead-letter`"),
              Map.entry(
                  "GALOP_OPERATOR_TOKEN",
                  "the operator's token of commands that reach the management port"),
              Map.entry("GALOP_OPERATOR_TOKEN_FILE", "a file with it"),
              Map.entry("GALOP_HOME", "reserved for your own start scripts"),
              Map.entry("GALOP_ARCHIVE", "`off`: `./galop` makes and uses no archive of classes"),
              Map.entry("GALOP_JAVA_OPTS", "the JVM options of start scripts"),
              Map.entry(
                  "GALOP_LOG_LEVEL", "the log level: `ERROR`, `WARN`, `INFO` (default), `DEBUG`"),
              Map.entry(LOG_FORMAT, "the form of the log's lines: `text` (default) or `json`"),
              Map.entry("GALOP_LOG_CLUSTER", "the same for Hazelcast, `WARN` by default"),
              Map.entry("GALOP_LOG_KAFKA", "the same for Kafka's client, `OFF` by default"),
              Map.entry("GALOP_TOKEN", "reserved for your own scripts, for the publishers' token"),
              Map.entry("GALOP_DATA", "the directory of recorded data for the tests"),
              Map.entry("GALOP_MONGO_URI", "a MongoDB for the tests")));

  private Variables() {}

  static List<Value> read(Map<String, String> environment, Problems problems) {
    Map<String, String> paths = paths();
    List<Value> read = new ArrayList<>();
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (paths.containsKey(name)) {
        Value value = new Value.Scalar(variable.getValue(), Value.Form.TYPED, name);
        read.add(Value.Mapping.at(paths.get(name), value));
      } else if (name.startsWith(PREFIX) && !OTHERS.containsKey(name)) {
        String hint = Words.didYouMean(name, paths.keySet());
        problems.add(name, "unknown variable, no key is spelled so" + hint, "environment");
      } else if (name.equals(LOG_FORMAT) && !LOG_FORMATS.contains(variable.getValue())) {
        String known = "must be text or json, not '" + variable.getValue() + "'";
        problems.add(name, known, "environment");
      }
    }
    return read;
  }

  /** The dotted path of each variable. */
  static Map<String, String> paths() {
    Map<String, String> paths = new LinkedHashMap<>();
    collect(Slot.root(GalopConfig.class), paths);
    return paths;
  }

  private static void collect(Slot slot, Map<String, String> paths) {
    Slot inner = slot.isOptional() ? slot.element("") : slot;
    if (inner.isSection()) {
      inner.keys().values().forEach(key -> collect(key, paths));
    } else {
      String taken = paths.put(Words.variable(slot.path()), slot.path());
      if (taken != null) {
        throw new IllegalStateException(taken + " and " + slot.path() + " share a variable");
      }
    }
  }
}
