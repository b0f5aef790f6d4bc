package io.galop.loadtest.report;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What a figure must not do.
 *
 * @param name of the figure
 * @param above whether it must not be above, else below
 * @param value the limit
 */
public record Limit(String name, boolean above, double value) {
  /** Reads {@code p99Ms>50}. */
  public static final class Reader implements ITypeConverter<Limit> {
    @Override
    public Limit convert(String text) {
      int at = Math.max(text.indexOf('>'), text.indexOf('<'));
      if (at < 1) {
        throw new TypeConversionException("'" + text + "' is not like p99Ms>50");
      }
      try {
        double value = Double.parseDouble(text.substring(at + 1).strip());
        return new Limit(text.substring(0, at).strip(), text.charAt(at) == '>', value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' has no number behind the sign");
      }
    }
  }

  /** Whether a figure is on the wrong side; one that is missing is. */
  boolean isCrossedBy(@Nullable Double figure) {
    return figure == null || figure.isNaN() || (above ? figure > value : figure < value);
  }

  @Override
  public String toString() {
    return name + (above ? " > " : " < ") + value;
  }
}
