package io.galop.loadtest.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Values to be seen side by side.
 *
 * @param title above them
 * @param unit of all values
 * @param values by label, in their order
 */
public record Bars(String title, String unit, Map<String, Double> values) {

  /** One value of each row. */
  public static <T> Bars of(
      String title,
      String unit,
      List<T> rows,
      Function<T, String> label,
      ToDoubleFunction<T> value) {
    Map<String, Double> values = new LinkedHashMap<>();
    rows.forEach(row -> values.put(label.apply(row), value.applyAsDouble(row)));
    return new Bars(title, unit, values);
  }
}
