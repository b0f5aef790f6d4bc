package io.galop.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was written, before it is known what it has to be; each part remembers where it stands. */
public sealed interface Value {
  /** Where it was written: {@code galop.yaml:3}, {@code --set}, the name of a variable. */
  String origin();

  /** How it is shown in a message. */
  String shown();

  /** Whether the key stands there without a value. */
  default boolean isNothing() {
    return false;
  }

  /** Where the value at a dotted path was written; empty where it was not. */
  default String originOf(String dottedPath) {
    return "";
  }

  /** A key without a value. */
  static Value nothing(String origin) {
    return new Scalar("", Form.NOTHING, origin);
  }

  /** How a scalar was written, and therefore how it is read. */
  enum Form {
    /** As a YAML scalar, its quotes already taken away. */
    YAML,
    /** As a key without a value, or {@code null}. */
    NOTHING,
    /**
     * As bare text, in a variable or on the command line: it is YAML only where a list, map, … is
     * due.
     */
    TYPED
  }

  /** One word, number or text. */
  record Scalar(String text, Form form, String origin) implements Value {
    @Override
    public boolean isNothing() {
      return form == Form.NOTHING;
    }

    @Override
    public String shown() {
      return isNothing() ? "nothing" : "'" + text + "'";
    }

    @Override
    public @Nullable Object plain() {
      return isNothing() ? null : text;
    }
  }

  /** Several values in order. */
  record Sequence(List<Value> items, String origin) implements Value {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return "a list";
    }

    @Override
    public Object plain() {
      List<@Nullable Object> plain = new ArrayList<>();
      items.forEach(item -> plain.add(item.plain()));
      return plain;
    }
  }

  /** Values by key, in the order in which they were written. */
  record Mapping(Map<String, Value> entries, String origin) implements Value {
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    @Override
    public String shown() {
      return entries.isEmpty()
          ? "{}"
          : "a map with the keys " + String.join(", ", entries.keySet());
    }

    @Override
    public Object plain() {
      Map<String, @Nullable Object> plain = new LinkedHashMap<>();
      entries.forEach((key, value) -> plain.put(key, value.plain()));
      return plain;
    }

    @Override
    public String originOf(String dottedPath) {
      String[] parts = dottedPath.split("\\.", 2);
      Value below = entries.get(parts[0].replaceFirst("\\[.*", ""));
      return below == null ? "" : parts.length == 1 ? below.origin() : below.originOf(parts[1]);
    }

    /** A value at a dotted path, as a tree of maps. */
    public static Mapping at(String dottedPath, Value value) {
      int dot = dottedPath.indexOf('.');
      if (dot < 0) {
        return new Mapping(Map.of(dottedPath, value), value.origin());
      }
      Value below = at(dottedPath.substring(dot + 1), value);
      return new Mapping(Map.of(dottedPath.substring(0, dot), below), value.origin());
    }
  }

  /** As maps, lists and texts; null where nothing stands. */
  @Nullable Object plain();

  /** A tree of plain maps, lists, words and numbers, as the program itself gives it. */
  static Value of(Object plain, String origin) {
    if (plain instanceof Map<?, ?> map) {
      Map<String, Value> entries = new LinkedHashMap<>();
      map.forEach((key, value) -> entries.put(key.toString(), of(value, origin)));
      return new Mapping(entries, origin);
    }
    if (plain instanceof Collection<?> list) {
      return new Sequence(list.stream().map(item -> of(item, origin)).toList(), origin);
    }
    String text = plain instanceof Enum<?> constant ? Words.of(constant) : plain.toString();
    return new Scalar(text, Form.TYPED, origin);
  }
}
