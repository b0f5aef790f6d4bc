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
  private final Problems problems;

  private FreeYaml(Problems problems) {
    this.problems = problems;
  }

  /** A map of maps, lists, texts, numbers and true or false. */
  static Map<String, Object> map(Node node, String key, Problems problems) {
    if (!(node instanceof MappingNode map)) {
      problems.add(node, key, "must be a map of keys");
      return null;
    }
    return new FreeYaml(problems).map(map, key);
  }

  private Map<String, Object> map(MappingNode node, String key) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode name) {
        String path = key + "." + name.getValue();
        if (values.put(name.getValue(), value(tuple.getValueNode(), path)) != null) {
          problems.add(name, path, "given twice");
        }
      } else {
        problems.add(tuple.getKeyNode(), key, "its keys must be single words");
      }
    }
    return values;
  }

  private Object value(Node node, String key) {
    if (node instanceof MappingNode map) {
      return map(map, key);
    }
    if (node instanceof SequenceNode sequence) {
      List<Object> values = new ArrayList<>();
      sequence.getValue().forEach(each -> values.add(value(each, key)));
      return values;
    }
    return scalar((ScalarNode) node, key);
  }

  private Object scalar(ScalarNode scalar, String key) {
    String text = scalar.getValue();
    if (scalar.getTag().equals(Tag.FLOAT)) {
      return Double.parseDouble(text);
    }
    if (scalar.getTag().equals(Tag.INT)) {
      return whole(scalar, key, text);
    }
    return scalar.getTag().equals(Tag.BOOL) ? (Object) Boolean.valueOf(text) : text;
  }

  private Object whole(ScalarNode scalar, String key, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      problems.add(scalar, key, text + " is too large a number");
      return text;
    }
  }
}
