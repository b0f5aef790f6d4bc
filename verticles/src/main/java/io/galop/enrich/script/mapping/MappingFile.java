package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.CelMap;
import io.galop.guest.SourceFile;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A mapping, compiled.
 *
 * @param name of the file
 * @param defaults its settings and what they are unless the configuration says otherwise
 * @param rules what is done with each record
 * @param bounds of its tables
 */
record MappingFile(
    String name, Map<String, Object> defaults, List<Rule> rules, List<StateRules.Bound> bounds) {

  /**
   * Compiles a file.
   *
   * @throws ScriptFailure naming line and field
   */
  static MappingFile compile(SourceFile file) throws ScriptFailure {
    MappingPlace place = new MappingPlace(file.name(), 1, "");
    YamlFields fields = YamlFields.of(root(file, place), place);
    CelMap defaults = CelMap.frozen();
    Optional<Node> settings = fields.take("settings");
    if (settings.isPresent()) {
      YamlFields given = YamlFields.of(settings.get(), fields.at("settings", settings.get()));
      for (Map.Entry<String, Node> one : given.takeAll().entrySet()) {
        defaults.put(one.getKey(), setting(one.getValue(), given.at(one.getKey(), one.getValue())));
      }
    }
    Node listed = fields.need("rules");
    RuleReader reader = new RuleReader();
    List<Rule> rules = reader.rules(listed, fields.at("rules", listed), KnownNames.first());
    fields.end("settings, rules");
    return new MappingFile(file.name(), defaults, rules, reader.bounds());
  }

  private static Node root(SourceFile file, MappingPlace place) throws ScriptFailure {
    LoadSettings settings = LoadSettings.builder().setLabel(file.name()).build();
    try {
      Node root =
          new Compose(settings)
              .composeString(file.text())
              .orElseThrow(() -> place.failure("the file is empty; it must hold 'rules'"));
      refuseAliases(root, place, Collections.newSetFromMap(new IdentityHashMap<>()));
      return root;
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new MappingPlace(file.name(), line, "YAML").failure(String.valueOf(e.getProblem()));
    } catch (YamlEngineException e) {
      throw place.failure(String.valueOf(e.getMessage()));
    }
  }

  /** Few lines with aliases can stand for very many rules, or for themselves. */
  private static void refuseAliases(Node node, MappingPlace place, Set<Node> seen)
      throws ScriptFailure {
    if (!seen.add(node)) {
      throw YamlFields.at(place, "YAML", node).failure("aliases (*) are not taken; write it again");
    }
    if (node instanceof SequenceNode sequence) {
      for (Node one : sequence.getValue()) {
        refuseAliases(one, place, seen);
      }
    } else if (node instanceof MappingNode mapping) {
      for (NodeTuple one : mapping.getValue()) {
        refuseAliases(one.getKeyNode(), place, seen);
        refuseAliases(one.getValueNode(), place, seen);
      }
    }
  }

  private static Object setting(Node node, MappingPlace place) throws ScriptFailure {
    if (!(node instanceof ScalarNode scalar)) {
      throw place.failure("a setting is a text, a number, true or false");
    }
    String text = scalar.getValue();
    try {
      if (scalar.getTag().equals(Tag.INT)) {
        return Long.parseLong(text);
      } else if (scalar.getTag().equals(Tag.FLOAT)) {
        return Double.parseDouble(text);
      }
    } catch (NumberFormatException e) {
      throw place.failure("it is no number of 64 bits");
    }
    return scalar.getTag().equals(Tag.BOOL) ? Boolean.parseBoolean(text) : text;
  }

  /**
   * The settings, with what the configuration has.
   *
   * @throws ScriptFailure if that has one that is none of this mapping
   */
  CelMap settings(Map<String, @Nullable Object> given) throws ScriptFailure {
    CelMap all = CelMap.frozen();
    all.putAll(defaults);
    for (Map.Entry<String, @Nullable Object> one : given.entrySet()) {
      if (!defaults.containsKey(one.getKey())) {
        throw new ScriptFailure(
            "%s has no setting '%s'; those it has stand under 'settings': %s"
                .formatted(name, one.getKey(), defaults.keySet()));
      }
      all.put(one.getKey(), one.getValue());
    }
    return all;
  }
}
