package io.galop.cli.input;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Reads points in time as people and machines write them. */
public final class EventTime {
  private static final long SECONDS_BELOW = 100_000_000_000L;
  private static final long MILLIS_BELOW = SECONDS_BELOW * 1_000;
  private static final long MICROS_BELOW = MILLIS_BELOW * 1_000;

  private EventTime() {}

  /**
   * A point in time in microseconds since the epoch, UTC. Reads ISO 8601 ({@code
   * 2013-12-02T21:15:00Z}, with an offset, or without one and then in UTC; a space may stand for
   * the T, the time of day may be missing) and numbers: seconds below 10^11 (the year 5138),
   * milliseconds below 10^14, else microseconds.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static long parseUs(String text) {
    String trimmed = text.trim();
    try {
      return looksLikeNumber(trimmed) ? ofNumber(new BigDecimal(trimmed)) : ofIso(trimmed);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is no time: expected ISO 8601, as in 2013-12-02 21:15:00, or a number since the epoch"
              .formatted(trimmed));
    }
  }

  private static boolean looksLikeNumber(String text) {
    return text.matches("-?\\d{1,20}(\\.\\d{1,9})?");
  }

  private static long ofNumber(BigDecimal number) {
    long whole = Math.abs(number.longValue());
    if (whole >= MICROS_BELOW) {
      throw new ArithmeticException("beyond microseconds");
    }
    int shift = whole < SECONDS_BELOW ? 6 : whole < MILLIS_BELOW ? 3 : 0;
    return number.movePointRight(shift).longValue();
  }

  private static long ofIso(String text) {
    if (text.length() < 10) {
      throw new DateTimeException("shorter than a date");
    }
    String iso = text.length() > 10 ? text.substring(0, 10) + 'T' + text.substring(11) : text;
    if (iso.length() == 10) {
      return micros(LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC));
    }
    boolean hasOffset = iso.endsWith("Z") || iso.substring(11).matches(".*[+-].*");
    return micros(
        hasOffset
            ? OffsetDateTime.parse(iso).toInstant()
            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
