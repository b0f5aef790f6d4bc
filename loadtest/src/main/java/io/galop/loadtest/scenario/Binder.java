package io.galop.loadtest.scenario;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Makes records of YAML: the keys of a map are the record's components, and no others. */
final class Binder {
  private final Problems problems;
  private final Map<String, ? extends Class<? extends MeasurePlan>> kinds;

  Binder(Problems problems, Map<String, ? extends Class<? extends MeasurePlan>> kinds) {
    this.problems = problems;
    this.kinds = kinds;
  }

  /** A record; null where something is wrong, which is then among the problems. */
  <R> R bind(Node node, String path, Class<R> type) {
    if (!(node instanceof MappingNode map)) {
      problems.add(node, name(path), "must be a map of keys");
      return null;
    }
    Map<String, Node> given = given(map, path, type);
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    boolean isWhole = true;
    for (int i = 0; i < components.length; i++) {
      values[i] = component(components[i], node, given, path);
      isWhole &= values[i] != null;
    }
    return isWhole ? construct(node, path, type, values) : null;
  }

  private Map<String, Node> given(MappingNode map, String path, Class<?> type) {
    List<String> known =
        Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    Map<String, Node> given = new HashMap<>();
    for (NodeTuple tuple : map.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode s ? s.getValue() : "?";
      if (!known.contains(key)) {
        String words = known.isEmpty() ? "none" : String.join(", ", known);
        problems.add(tuple.getKeyNode(), join(path, key), "unknown key; there are: " + words);
      } else if (given.put(key, tuple.getValueNode()) != null) {
        problems.add(tuple.getKeyNode(), join(path, key), "given twice");
      }
    }
    return given;
  }

  private Object component(
      RecordComponent component, Node parent, Map<String, Node> given, String path) {
    String key = join(path, component.getName());
    Node node = given.get(component.getName());
    Default standard = component.getAnnotation(Default.class);
    if (node == null && standard == null) {
      problems.add(parent, key, "must be given");
      return null;
    }
    Node value = node == null ? ScenarioFile.compose(standard.value()) : node;
    return value(value, key, component.getGenericType(), component.getAnnotation(Range.class));
  }

  private Object value(Node node, String key, Type type, Range range) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return list(node, key, list.getActualTypeArguments()[0], range);
    }
    if (type instanceof ParameterizedType) {
      return FreeYaml.map(node, key, problems);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      return bind(node, key, plain);
    }
    return plain == MeasurePlan.class
        ? measure(node, key)
        : new Scalars(problems).value(node, key, plain, range);
  }

  private List<Object> list(Node node, String key, Type element, Range range) {
    if (!(node instanceof SequenceNode sequence)) {
      problems.add(node, key, "must be a list, as in [a, b]");
      return null;
    }
    List<Object> values = new ArrayList<>();
    for (Node each : sequence.getValue()) {
      Object value = value(each, key, element, range);
      if (value != null) {
        values.add(value);
      }
    }
    return values.size() == sequence.getValue().size() ? List.copyOf(values) : null;
  }

  /** One key, which says what kind it is; below it are that kind's own keys. */
  private Object measure(Node node, String key) {
    String words = kinds.keySet().stream().sorted().collect(Collectors.joining(", "));
    if (!(node instanceof MappingNode map) || map.getValue().size() != 1) {
      problems.add(node, key, "must be a map with one key, which is one of: " + words);
      return null;
    }
    NodeTuple only = map.getValue().get(0);
    String word = only.getKeyNode() instanceof ScalarNode s ? s.getValue() : "?";
    Class<? extends MeasurePlan> kind = kinds.get(word);
    if (kind == null) {
      problems.add(only.getKeyNode(), join(key, word), "unknown; there are: " + words);
      return null;
    }
    return bind(only.getValueNode(), join(key, word), kind);
  }

  private <R> R construct(Node node, String path, Class<R> type, Object[] values) {
    try {
      return type.cast(type.getDeclaredConstructors()[0].newInstance(values));
    } catch (java.lang.reflect.InvocationTargetException e) {
      problems.add(node, name(path), e.getCause().getMessage());
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private static String name(String path) {
    return path.isEmpty() ? "the file" : path;
  }
}
