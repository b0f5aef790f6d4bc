package io.galop.yaml;

import java.util.ArrayList;
import java.util.List;

/** What {@code --set key=value} gives. */
public final class Sets {
  private static final String ORIGIN = "--set";

  private Sets() {}

  public static List<Value> read(List<String> sets, Problems problems) {
    List<Value> read = new ArrayList<>();
    for (String set : sets) {
      int equals = set.indexOf('=');
      String path = equals < 0 ? set : set.substring(0, equals).strip();
      if (equals < 1 || !path.matches("[^.\\[\\]]+(\\.[^.\\[\\]]+)*")) {
        problems.add(
            "", "--set " + path + ": must be key=value, the key a dotted path like http.port", "");
        continue;
      }
      Value value = new Value.Scalar(set.substring(equals + 1), Value.Form.TYPED, ORIGIN);
      read.add(Value.Mapping.at(path, value));
    }
    return read;
  }
}
