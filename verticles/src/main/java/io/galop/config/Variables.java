package io.galop.config;

import io.galop.yaml.Problems;
import io.galop.yaml.Slot;
import io.galop.yaml.Value;
import io.galop.yaml.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The environment variables: {@code GALOP_HTTP_PORT} is {@code http.port}. */
final class Variables {
  private static final String PREFIX = "GALOP_";

  /** Read by scripts, the log and tests, not by the configuration; each with what it is for. */
  static final Map<String, String> OTHERS =
      new TreeMap<>(
          Map.of(
              "GALOP_VIEWER_TOKEN",
              "the viewer's token of `galop subscribe`, `history` and `dead-letter`",
              "GALOP_HOME",
              "reserved for your own start scripts",
              "GALOP_JAVA_OPTS",
              "the JVM options of start scripts",
              "GALOP_LOG_LEVEL",
              "the log level: `ERROR`, `WARN`, `INFO` (default), `DEBUG`",
              "GALOP_LOG_CLUSTER",
              "the same for Hazelcast, `WARN` by default",
              "GALOP_TOKEN",
              "reserved for your own scripts, for the publishers' token",
              "GALOP_DATA",
              "the directory of recorded data for the tests",
              "GALOP_MONGO_URI",
              "a MongoDB for the tests"));

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
