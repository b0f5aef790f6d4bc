package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Makes rules of YAML. */
final class RuleReader {
  private static final String KINDS =
      "require, skip, let, each, do, row, set, clear, changed and emit";

  private final List<StateRules.Bound> bounds = new ArrayList<>();

  /** Of all tables that were read. */
  List<StateRules.Bound> bounds() {
    return bounds;
  }

  /** Rules in order; each knows the names of those before it. */
  List<Rule> rules(Node node, MappingPlace at, KnownNames names) throws ScriptFailure {
    List<Rule> rules = new ArrayList<>();
    for (Node one : YamlFields.elements(node, at)) {
      MappingPlace place = YamlFields.at(at, at.field() + "[" + rules.size() + "]", one);
      rules.add(rule(YamlFields.of(one, place), names));
    }
    return rules;
  }

  private Rule rule(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Optional<Field> when = maybe(yaml, "when", names);
    Rule rule = unconditional(yaml, names);
    yaml.end("those of one rule; rules are " + KINDS);
    if (when.isEmpty()) {
      return rule;
    }
    if (rule instanceof Rules.Let || rule instanceof StateRules.Row) {
      throw yaml.place()
          .failure("a name must not depend on 'when'; put the rules that use it under 'do'");
    }
    return new Rules.When(yaml.place(), when.get(), rule);
  }

  private Rule unconditional(YamlFields yaml, KnownNames names) throws ScriptFailure {
    MappingPlace place = yaml.place();
    if (yaml.has("require")) {
      Node otherwise = yaml.need("else");
      String text = yaml.text("else", otherwise);
      return new Rules.Require(place, field(yaml, "require", names), text);
    } else if (yaml.has("skip")) {
      return new Rules.Skip(place, field(yaml, "skip", names));
    } else if (yaml.has("let")) {
      return let(yaml, names);
    } else if (yaml.has("each")) {
      return each(yaml, names);
    } else if (yaml.has("do")) {
      Node rules = yaml.need("do");
      return new Rules.Block(place, rules(rules, yaml.at("do", rules), names.inner()));
    } else if (yaml.has("row")) {
      return row(yaml, names);
    } else if (yaml.has("set")) {
      return set(yaml, names);
    } else if (yaml.has("clear")) {
      StateTable table = table(yaml, "clear", names);
      return new StateRules.Clear(place, table, yaml.texts("fields"));
    } else if (yaml.has("changed")) {
      return changed(yaml, names);
    } else if (yaml.has("emit")) {
      return emit(yaml, names);
    }
    throw place.failure("this is no rule; rules are " + KINDS);
  }

  private static Field field(YamlFields yaml, String key, KnownNames names) throws ScriptFailure {
    Node node = yaml.need(key);
    return names.field(yaml.text(key, node), yaml.at(key, node));
  }

  private static Optional<Field> maybe(YamlFields yaml, String key, KnownNames names)
      throws ScriptFailure {
    return yaml.has(key) ? Optional.of(field(yaml, key, names)) : Optional.empty();
  }

  private static @Nullable Field orNull(YamlFields yaml, String key, KnownNames names)
      throws ScriptFailure {
    return maybe(yaml, key, names).orElse(null);
  }

  private static StateTable table(YamlFields yaml, String key, KnownNames names)
      throws ScriptFailure {
    Node node = yaml.need(key);
    return names.table(yaml.text(key, node), yaml.at(key, node));
  }

  private static Rule let(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Node node = yaml.need("let");
    YamlFields values = YamlFields.of(node, yaml.at("let", node));
    Map<String, Field> fields = new LinkedHashMap<>();
    for (Map.Entry<String, Node> one : values.takeAll().entrySet()) {
      MappingPlace at = values.at(one.getKey(), one.getValue());
      fields.put(one.getKey(), names.field(values.text(one.getKey(), one.getValue()), at));
      names.add(one.getKey(), at);
    }
    return new Rules.Let(yaml.place(), fields);
  }

  private Rule each(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Field list = field(yaml, "each", names);
    Node as = yaml.need("as");
    String name = yaml.text("as", as);
    KnownNames inner = names.inner();
    inner.add(name, yaml.at("as", as));
    Node rules = yaml.need("do");
    return new Rules.Each(yaml.place(), list, name, rules(rules, yaml.at("do", rules), inner));
  }

  private Rule row(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Node node = yaml.need("row");
    String name = yaml.text("row", node);
    StateTable table = table(yaml, "in", names);
    Field key = field(yaml, "key", names);
    StateRules.Bound bound = bound(yaml, names);
    names.addRow(name, yaml.at("row", node));
    return new StateRules.Row(yaml.place(), name, table, key, bound);
  }

  private StateRules.Bound bound(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Field max = orNull(yaml, "max", KnownNames.settings());
    StateRules.Bound bound =
        new StateRules.Bound(max, yaml.has("first") ? field(yaml, "first", names.withRow()) : null);
    bounds.add(bound);
    return bound;
  }

  private static Rule set(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Node node = yaml.need("set");
    String row = names.row(yaml.text("set", node), yaml.at("set", node));
    Node given = yaml.need("fields");
    YamlFields values = YamlFields.of(given, yaml.at("fields", given));
    Map<String, Field> fields = new LinkedHashMap<>();
    for (Map.Entry<String, Node> one : values.takeAll().entrySet()) {
      MappingPlace at = values.at(one.getKey(), one.getValue());
      fields.put(one.getKey(), names.field(values.text(one.getKey(), one.getValue()), at));
    }
    return new StateRules.Set(yaml.place(), row, fields);
  }

  private Rule changed(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Field value = field(yaml, "changed", names);
    StateTable table = table(yaml, "in", names);
    Field key = yaml.has("key") ? field(yaml, "key", names) : names.field("topic", yaml.place());
    Field step = orNull(yaml, "step", KnownNames.settings());
    return new StateRules.Changed(yaml.place(), value, table, key, step, bound(yaml, names));
  }

  private static Rule emit(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Node node = yaml.need("emit");
    YamlFields fields = YamlFields.of(node, yaml.at("emit", node));
    Field topic = orNull(fields, "topic", names);
    Field time = orNull(fields, "time", names);
    boolean last = isTrue(fields, "last");
    Field copied = orNull(fields, "copy", names);
    List<String> without = fields.texts("without");
    Map<String, Shape> shapes = new LinkedHashMap<>();
    Optional<Node> data = fields.take("data");
    Shape shape = new Shape.Fields(copied, without, shapes);
    if (data.isPresent()) {
      MappingPlace at = fields.at("data", data.get());
      if (data.get() instanceof MappingNode) {
        shapes.putAll(shapes(YamlFields.of(data.get(), at), names));
      } else if (copied == null) {
        shape = shape(data.get(), at, names);
      } else {
        throw at.failure("beside 'copy', 'data' must be fields");
      }
    } else if (copied == null) {
      throw fields.place().failure("'data' is missing, or 'copy'");
    }
    fields.end("topic, time, data, copy, without, last");
    return new Rules.Emit(yaml.place(), topic, time, shape, last);
  }

  private static boolean isTrue(YamlFields yaml, String key) throws ScriptFailure {
    Optional<Node> node = yaml.take(key);
    if (node.isEmpty()) {
      return false;
    }
    String text = yaml.text(key, node.get());
    if (!text.equals("true") && !text.equals("false")) {
      throw yaml.at(key, node.get()).failure("here must be true or false");
    }
    return text.equals("true");
  }

  private static Map<String, Shape> shapes(YamlFields yaml, KnownNames names) throws ScriptFailure {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    for (Map.Entry<String, Node> one : yaml.takeAll().entrySet()) {
      MappingPlace at = yaml.at(one.getKey(), one.getValue());
      shapes.put(one.getKey(), shape(one.getValue(), at, names));
    }
    return shapes;
  }

  private static Shape shape(Node node, MappingPlace at, KnownNames names) throws ScriptFailure {
    if (node instanceof MappingNode) {
      return new Shape.Fields(null, List.of(), shapes(YamlFields.of(node, at), names));
    } else if (node instanceof SequenceNode sequence) {
      List<Shape> elements = new ArrayList<>();
      for (Node one : sequence.getValue()) {
        MappingPlace place = YamlFields.at(at, at.field() + "[" + elements.size() + "]", one);
        elements.add(shape(one, place, names));
      }
      return new Shape.Elements(elements);
    }
    return new Shape.Of(names.field(YamlFields.text(node, at), at));
  }
}
