package io.galop.extend;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The settings of a verticle: whole numbers, fractions, true and false as such, else texts. */
final class Settings {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,14})");
  private static final Pattern FRACTION = Pattern.compile("-?(0|[1-9]\\d{0,14})\\.\\d+");

  private Settings() {}

  static Map<String, Object> typed(Map<String, String> settings) {
    Map<String, Object> typed = new LinkedHashMap<>();
    new TreeMap<>(settings).forEach((key, text) -> typed.put(key, typed(text)));
    return Collections.unmodifiableMap(typed);
  }

  private static Object typed(String text) {
    if (WHOLE.matcher(text).matches()) {
      long number = Long.parseLong(text);
      return number == (int) number ? (Object) (int) number : (Object) number;
    }
    if (FRACTION.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    return text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text;
  }
}
