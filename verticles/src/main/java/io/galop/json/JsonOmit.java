package io.galop.json;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Leaves fields of a JSON object out of its bytes: no tree, one pass, one copy. Whoever took the
 * record in has checked that it is JSON. Immutable.
 */
public final class JsonOmit {
  private final Set<String> names;
  private final boolean areKept;

  /** Of the object itself; a field of that name inside another is kept. */
  public JsonOmit(Set<String> names) {
    this(names, false);
  }

  private JsonOmit(Set<String> names, boolean areKept) {
    this.names = Set.copyOf(names);
    this.areKept = areKept;
  }

  /** Leaves out all fields but these. */
  public static JsonOmit allBut(Set<String> names) {
    return new JsonOmit(names, true);
  }

  /** The object without the fields; itself where it has none of them. */
  public byte[] of(byte[] object) {
    return within(object, JsonBytes.skipSpace(object, 0));
  }

  /**
   * The same of an object inside a text, whose other bytes stay.
   *
   * @param from where the object begins
   */
  public byte[] within(byte[] text, int from) {
    TextBytes kept = new TextBytes(text.length);
    kept.add(text, 0, from + 1);
    int begun = kept.length();
    boolean isWhole = true;
    int at = JsonBytes.skipSpace(text, from + 1);
    while (at < text.length && text[at] == '"') {
      int nameEnd = JsonBytes.skipString(text, at);
      int valueAt = JsonBytes.skipSpace(text, JsonBytes.skipSpace(text, nameEnd) + 1);
      int valueEnd = JsonBytes.skipValue(text, valueAt);
      if (names.contains(name(text, at, nameEnd)) != areKept) {
        isWhole = false;
      } else {
        if (kept.length() > begun) {
          kept.add(',');
        }
        kept.add(text, at, valueEnd);
      }
      at = JsonBytes.skipSpace(text, valueEnd);
      at = at < text.length && text[at] == ',' ? JsonBytes.skipSpace(text, at + 1) : at;
    }
    return isWhole ? text : kept.add(text, at, text.length).toBytes();
  }

  /** As a reader sees it, whose escapes must not hide it. */
  private static String name(byte[] text, int from, int to) {
    return JsonBytes.hasEscape(text, from + 1, to - 1)
        ? JsonBytes.unescaped(text, from, to)
        : new String(text, from + 1, to - from - 2, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonOmit omit && omit.areKept == areKept && omit.names.equals(names);
  }

  @Override
  public int hashCode() {
    return 31 * names.hashCode() + Boolean.hashCode(areKept);
  }
}
