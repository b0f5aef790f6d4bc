package io.galop.json;

import io.galop.json.NotJson.Why;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/** Writes maps, lists, texts, numbers, booleans and null as JSON; one thread at a time. */
public final class PlainJsonWriter {
  private static final String HEX = "0123456789abcdef";

  private final int deepest;
  private final int maxBytes;
  private final StringBuilder to = new StringBuilder(256);
  private int depth;

  /**
   * A writer.
   *
   * @param deepest how many levels objects and lists may be nested
   * @param maxBytes longest text, in UTF-8
   */
  public PlainJsonWriter(int deepest, int maxBytes) {
    this.deepest = deepest;
    this.maxBytes = maxBytes;
  }

  /**
   * An object's JSON in UTF-8.
   *
   * @throws NotJson saying which value breaks which rule
   */
  public byte[] bytes(Map<?, ?> object) throws NotJson {
    byte[] json = text(object).getBytes(StandardCharsets.UTF_8);
    checkLength(json.length);
    return json;
  }

  /**
   * An object's JSON; no longer than may be in characters, which are less than bytes.
   *
   * @throws NotJson saying which value breaks which rule
   */
  public String text(Map<?, ?> object) throws NotJson {
    to.setLength(0);
    depth = 0;
    object(object);
    checkLength(to.length());
    return to.toString();
  }

  private void checkLength(int length) throws NotJson {
    if (length > maxBytes) {
      throw new NotJson(Why.LENGTH, Integer.toString(length));
    }
  }

  private void value(Object value) throws NotJson {
    if (value instanceof CharSequence || value instanceof Character) {
      text(value.toString());
    } else if (value instanceof Number number) {
      number(number);
    } else if (value == null || value instanceof Boolean) {
      to.append(value);
    } else if (value instanceof Map<?, ?> map) {
      object(map);
    } else if (value instanceof Collection<?> listed) {
      array(listed);
    } else if (value instanceof Object[] elements) {
      array(Arrays.asList(elements));
    } else {
      throw new NotJson(Why.VALUE, "a " + value.getClass().getName());
    }
  }

  private void object(Map<?, ?> map) throws NotJson {
    deeper();
    char before = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = String.valueOf(entry.getKey());
      to.append(before);
      text(name);
      to.append(':');
      try {
        value(entry.getValue());
      } catch (NotJson e) {
        throw e.under(name);
      }
      before = ',';
    }
    to.append(before == '{' ? "{}" : "}");
    depth--;
  }

  private void array(Collection<?> elements) throws NotJson {
    deeper();
    char before = '[';
    int index = 0;
    for (Object element : elements) {
      to.append(before);
      try {
        value(element);
      } catch (NotJson e) {
        throw e.at(index);
      }
      before = ',';
      index++;
    }
    to.append(before == '[' ? "[]" : "]");
    depth--;
  }

  private void deeper() throws NotJson {
    checkLength(to.length());
    if (++depth > deepest) {
      throw new NotJson(Why.DEPTH, Integer.toString(deepest));
    }
  }

  private void number(Number number) throws NotJson {
    boolean isExact = number instanceof BigInteger || number instanceof BigDecimal;
    if (!isExact && !Double.isFinite(number.doubleValue())) {
      throw new NotJson(Why.VALUE, number.toString());
    }
    NumberText.append(to, number);
  }

  private void text(String text) throws NotJson {
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
