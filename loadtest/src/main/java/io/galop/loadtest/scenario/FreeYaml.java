package io.galop.loadtest.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** YAML that is handed on and not looked at here: the configuration of a node. */
final class FreeYaml {
  private FreeYaml() {}

  /** A map of maps, lists, texts, numbers and true or false. */
  static Map<String, Object> map(Node node, String key, Problems problems) {
    if (!(node instanceof MappingNode)) {
      problems.add(node, key, "must be a map of keys");
      return null;
    }
    @SuppressWarnings("unchecked")
    Map<String, Object> map = (Map<String, Object>) value(node);
    return map;
  }

  private static Object value(Node node) {
    if (node instanceof MappingNode map) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (NodeTuple tuple : map.getValue()) {
        values.put(((ScalarNode) tuple.getKeyNode()).getValue(), value(tuple.getValueNode()));
      }
      return values;
    }
    if (node instanceof SequenceNode sequence) {
      List<Object> values = new ArrayList<>();
      sequence.getValue().forEach(each -> values.add(value(each)));
      return values;
    }
    return scalar((ScalarNode) node);
  }

  private static Object scalar(ScalarNode scalar) {
    String text = scalar.getValue();
    if (scalar.getTag().equals(Tag.INT)) {
      return Long.parseLong(text);
    }
    if (scalar.getTag().equals(Tag.FLOAT)) {
      return Double.parseDouble(text);
    }
    return scalar.getTag().equals(Tag.BOOL) ? (Object) Boolean.valueOf(text) : text;
  }
}
