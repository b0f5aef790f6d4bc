package io.galop.persist.inspect;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Event times as people read and write them. */
final class Times {
  private Times() {}

  /** ISO 8601, UTC. */
  static String utc(long timeUs) {
    return Instant.EPOCH.plus(timeUs, ChronoUnit.MICROS).toString();
  }

  /** Reads ISO 8601 with an offset, or microseconds since the epoch. */
  static final class Converter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return text.matches("-?\\d+")
            ? Long.parseLong(text)
            : ChronoUnit.MICROS.between(Instant.EPOCH, OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
        throw new TypeConversionException(
            "'%s' is no time; expected ISO 8601, as in 2026-11-20T12:00:00Z, or microseconds since"
                    .formatted(text)
                + " 1970 UTC");
      }
    }
  }
}
