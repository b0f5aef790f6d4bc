package io.galop.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML 1.2 (core schema, one document, no tags of its own) and keeps the line numbers. */
public final class Yaml {
  private static final Set<Tag> CORE =
      Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.SEQ, Tag.MAP);
  private static final LoadSettings SETTINGS =
      LoadSettings.builder().setSchema(new CoreSchema()).build();

  private final Problems problems;
  private final Function<Optional<Mark>, String> origins;

  private Yaml(Problems problems, Function<Optional<Mark>, String> origins) {
    this.problems = problems;
    this.origins = origins;
  }

  /** Reads a file's text; {@code name} stands in the messages. */
  public static Value readFile(String text, String name, Problems problems) {
    Yaml yaml = new Yaml(problems, mark -> name + mark.map(at -> ":" + line(at)).orElse(""));
    try {
      return yaml.value(text, "", yaml.origins.apply(Optional.empty()));
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      String at = mark.map(m -> ":" + line(m) + ":" + (m.getColumn() + 1)).orElse("");
      problems.add("", name + at + ": is not valid YAML, " + reason(e), "");
    } catch (YamlEngineException e) {
      problems.add("", name + ": is not valid YAML, " + reason(e), "");
    }
    return new Value.Mapping(Map.of(), name);
  }

  /** Reads what stands in a variable, after {@code --set} or in an annotation. */
  static Value readOneLine(Value.Scalar scalar, String path, Problems problems) {
    try {
      return new Yaml(problems, mark -> scalar.origin())
          .value(scalar.text(), path, scalar.origin());
    } catch (YamlEngineException e) {
      problems.add(path, "is not valid YAML, " + reason(e), scalar.origin());
      return Value.nothing(scalar.origin());
    }
  }

  private Value value(String text, String path, String origin) {
    return new Compose(SETTINGS)
        .composeString(text)
        .map(node -> value(node, path, origins.apply(node.getStartMark())))
        .orElseGet(() -> Value.nothing(origin));
  }

  private Value value(Node node, String path, String origin) {
    if (node.isRecursive() || !CORE.contains(node.getTag())) {
      String rule =
          node.isRecursive()
              ? "must not contain itself"
              : "must not have a tag, not " + node.getTag().getValue();
      problems.add(path, rule, origin);
      return Value.nothing(origin);
    }
    if (node instanceof MappingNode mapping) {
      return mapping(mapping, path, origin);
    }
    if (node instanceof SequenceNode sequence) {
      List<Value> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        String at = origins.apply(item.getStartMark());
        items.add(value(item, path + "[" + items.size() + "]", at));
      }
      return new Value.Sequence(items, origin);
    }
    Value.Form form = node.getTag().equals(Tag.NULL) ? Value.Form.NOTHING : Value.Form.YAML;
    return new Value.Scalar(((ScalarNode) node).getValue(), form, origin);
  }

  private Value mapping(MappingNode node, String path, String origin) {
    Map<String, Value> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      String at = origins.apply(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(path, "must have words as keys, not a list or a map", at);
        continue;
      }
      String below = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
      Value first = entries.putIfAbsent(key.getValue(), value(tuple.getValueNode(), below, at));
      if (first != null) {
        problems.add(below, "given twice, first at " + first.origin(), at);
      }
    }
    return new Value.Mapping(entries, origin);
  }

  private static int line(Mark mark) {
    return mark.getLine() + 1;
  }

  private static String reason(YamlEngineException e) {
    if (e instanceof MarkedYamlEngineException marked && marked.getProblem() != null) {
      String context = marked.getContext() == null ? "" : marked.getContext() + ": ";
      return (context + marked.getProblem()).replaceAll("\\s+", " ");
    }
    return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
  }
}
