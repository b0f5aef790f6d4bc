package io.galop.loadtest.scenario;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads a single value. */
final class Scalars {
  private final Problems problems;

  Scalars(Problems problems) {
    this.problems = problems;
  }

  /** The value, or null where it is not what it must be. */
  Object value(Node node, String key, Class<?> type, Range range) {
    if (!(node instanceof ScalarNode scalar)) {
      problems.add(node, key, "must be a single value");
      return null;
    }
    String text = scalar.getValue();
    if (type == String.class) {
      return text;
    }
    if (type == boolean.class) {
      return flag(node, key, text);
    }
    return type.isEnum() ? word(node, key, text, type) : number(node, key, text, type, range);
  }

  private Boolean flag(Node node, String key, String text) {
    if (!text.equals("true") && !text.equals("false")) {
      problems.add(node, key, "'" + text + "' must be true or false");
      return null;
    }
    return text.equals("true");
  }

  private Object word(Node node, String key, String text, Class<?> type) {
    for (Object constant : type.getEnumConstants()) {
      if (constant.toString().equals(text)) {
        return constant;
      }
    }
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(Object::toString)
            .collect(Collectors.joining(", "));
    problems.add(node, key, "'" + text + "' must be one of: " + words);
    return null;
  }

  private Object number(Node node, String key, String text, Class<?> type, Range range) {
    boolean isWhole = type == int.class || type == Integer.class || type == long.class;
    double value;
    try {
      value = isWhole ? Long.parseLong(text.replace("_", "")) : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      problems.add(node, key, "'" + text + "' must be a " + (isWhole ? "whole " : "") + "number");
      return null;
    }
    if (range != null && !(value >= range.from() && value <= range.to())) {
      String rule = Words.number(range.from()) + " to " + Words.number(range.to());
      problems.add(node, key, text + " must be from " + rule);
      return null;
    }
    if (type == int.class || type == Integer.class) {
      return (int) value;
    }
    return type == long.class ? (Object) (long) value : (Object) value;
  }
}
