package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The keys of a mapping of YAML, each with its place; those that nobody took are refused. */
final class YamlFields {
  private final MappingPlace place;
  private final Map<String, Node> open = new LinkedHashMap<>();

  private YamlFields(MappingPlace place) {
    this.place = place;
  }

  static YamlFields of(Node node, MappingPlace place) throws ScriptFailure {
    if (!(node instanceof MappingNode mapping)) {
      throw place.failure("here must be keys with values");
    }
    YamlFields fields = new YamlFields(place);
    for (NodeTuple one : mapping.getValue()) {
      if (!(one.getKeyNode() instanceof ScalarNode key)) {
        throw place.failure("a key must be a text");
      }
      if (fields.open.put(key.getValue(), one.getValueNode()) != null) {
        throw fields.at(key.getValue(), one.getValueNode()).failure("it stands there twice");
      }
    }
    return fields;
  }

  MappingPlace place() {
    return place;
  }

  boolean has(String key) {
    return open.containsKey(key);
  }

  Optional<Node> take(String key) {
    return Optional.ofNullable(open.remove(key));
  }

  Node need(String key) throws ScriptFailure {
    return take(key).orElseThrow(() -> place.failure("'" + key + "' is missing"));
  }

  /** All that is left, in the order of the file. */
  Map<String, Node> takeAll() {
    Map<String, Node> all = new LinkedHashMap<>(open);
    open.clear();
    return all;
  }

  /** The place of a value. */
  MappingPlace at(String key, Node value) {
    return at(place, place.field().isEmpty() ? key : place.field() + "." + key, value);
  }

  static MappingPlace at(MappingPlace near, String field, Node value) {
    int line = value.getStartMark().map(mark -> mark.getLine() + 1).orElse(near.line());
    return new MappingPlace(near.file(), line, field);
  }

  /** A text of one value. */
  String text(String key, Node value) throws ScriptFailure {
    return text(value, at(key, value));
  }

  static String text(Node value, MappingPlace at) throws ScriptFailure {
    if (value instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    throw at.failure("here must be a text");
  }

  List<String> texts(String key) throws ScriptFailure {
    List<String> texts = new ArrayList<>();
    Optional<Node> listed = take(key);
    if (listed.isPresent()) {
      for (Node one : elements(listed.get(), at(key, listed.get()))) {
        texts.add(text(key, one));
      }
    }
    return texts;
  }

  static List<Node> elements(Node value, MappingPlace at) throws ScriptFailure {
    if (value instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    throw at.failure("here must be a list");
  }

  /** Refuses a key that means nothing here. */
  void end(String known) throws ScriptFailure {
    for (Map.Entry<String, Node> one : open.entrySet()) {
      throw at(one.getKey(), one.getValue())
          .failure("the key means nothing here; known are " + known);
    }
  }
}
