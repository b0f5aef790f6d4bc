package io.galop.enrich.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/** Writes what a script returned as JSON; one thread at a time. */
final class PlainJsonWriter {
  private static final String HEX = "0123456789abcdef";

  private final int maxBytes;
  private final StringBuilder to = new StringBuilder(256);
  private String field = "";
  private int depth;

  /**
   * @param maxBytes longest text, in UTF-8
   */
  PlainJsonWriter(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * An object's JSON in UTF-8.
   *
   * @throws ScriptFailure naming the field that breaks a rule
   */
  byte[] write(Map<?, ?> object) throws ScriptFailure {
    to.setLength(0);
    depth = 0;
    field = "";
    object(object);
    byte[] json = to.toString().getBytes(StandardCharsets.UTF_8);
    checkLength(json.length);
    return json;
  }

  private void checkLength(int length) throws ScriptFailure {
    if (length > maxBytes) {
      throw new ScriptFailure(
          "enrich returned data of " + length + " bytes or more, maxOutputBytes is " + maxBytes);
    }
  }

  private void value(Object value) throws ScriptFailure {
    if (value instanceof CharSequence || value instanceof Character) {
      text(value.toString());
    } else if (PlainJson.isNumber(value)) {
      number((Number) value);
    } else if (value == null || value instanceof Boolean) {
      to.append(value);
    } else if (value instanceof Map<?, ?> map) {
      object(map);
    } else if (value instanceof Collection<?> listed) {
      array(listed);
    } else if (value instanceof Object[] elements) {
      array(Arrays.asList(elements));
    } else {
      throw refused("a " + value.getClass().getName());
    }
  }

  private void object(Map<?, ?> map) throws ScriptFailure {
    deeper();
    char before = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      to.append(before);
      field = String.valueOf(entry.getKey());
      text(field);
      to.append(':');
      value(entry.getValue());
      before = ',';
    }
    to.append(before == '{' ? "{}" : "}");
    depth--;
  }

  private void array(Collection<?> elements) throws ScriptFailure {
    deeper();
    char before = '[';
    for (Object element : elements) {
      to.append(before);
      value(element);
      before = ',';
    }
    to.append(before == '[' ? "[]" : "]");
    depth--;
  }

  private void deeper() throws ScriptFailure {
    checkLength(to.length());
    if (++depth > PlainJson.DEEPEST) {
      throw new ScriptFailure(
          "enrich returned data that is nested deeper than "
              + PlainJson.DEEPEST
              + " levels, or circular");
    }
  }

  private void number(Number number) throws ScriptFailure {
    boolean isFraction = number instanceof Double || number instanceof Float;
    if (isFraction && !Double.isFinite(number.doubleValue())) {
      throw refused(number.toString());
    }
    NumberText.append(to, number);
  }

  private ScriptFailure refused(String what) {
    return new ScriptFailure(
        "enrich returned the field '" + field + "' with " + what + ", which JSON cannot hold");
  }

  private void text(String text) throws ScriptFailure {
    checkLength(to.length() + text.length());
    to.append('"');
    int plainFrom = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c)) {
        to.append(text, plainFrom, i);
        i += escape(text, i, c);
        plainFrom = i + 1;
      }
    }
    to.append(text, plainFrom, text.length()).append('"');
  }

  /** How many characters more than one it took. */
  private int escape(String text, int at, char c) {
    if (Character.isHighSurrogate(c)
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1))) {
      to.append(text, at, at + 2);
      return 1;
    }
    int known = "\b\t\n\f\r\"\\".indexOf(c);
    if (known >= 0) {
      to.append('\\').append("btnfr\"\\".charAt(known));
    } else {
      to.append("\\u");
      for (int shift = 12; shift >= 0; shift -= 4) {
        to.append(HEX.charAt(c >> shift & 15));
      }
    }
    return 0;
  }
}
