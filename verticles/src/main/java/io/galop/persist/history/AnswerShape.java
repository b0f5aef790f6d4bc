package io.galop.persist.history;

import io.galop.persist.fold.Aggregate;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an answer makes of records.
 *
 * @param everyUs the length of the buckets into which they are folded; 0: they are not
 * @param points how many of a topic are left at most, chosen for a plot; 0: all
 * @param fields paths of the fields that are shown
 * @param aggregates of buckets
 */
record AnswerShape(long everyUs, int points, List<String> fields, Set<Aggregate> aggregates) {
  private static final Pattern EVERY = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_US =
      Map.of(
          "ms", TimeUnit.MILLISECONDS.toMicros(1),
          "s", TimeUnit.SECONDS.toMicros(1),
          "m", TimeUnit.MINUTES.toMicros(1),
          "h", TimeUnit.HOURS.toMicros(1),
          "d", TimeUnit.DAYS.toMicros(1));
  private static final int MOST_FIELDS = 8;
  private static final int FEWEST_POINTS = 3;

  AnswerShape {
    fields = List.copyOf(fields);
    aggregates = Set.copyOf(aggregates);
  }

  /**
   * Reads {@code every}, {@code points}, {@code fields} and {@code agg}.
   *
   * @throws IllegalArgumentException naming the parameter and what is allowed
   */
  static AnswerShape parse(Map<String, List<String>> parameters, int maxLimit) {
    long everyUs = everyUs(text(parameters, "every"));
    int points = points(text(parameters, "points"), maxLimit);
    List<String> fields = fields(text(parameters, "fields"));
    if (everyUs > 0 && points > 0) {
      throw new IllegalArgumentException("'every' and 'points' exclude each other");
    }
    if (everyUs > 0 && fields.isEmpty()) {
      throw new IllegalArgumentException("'every' needs 'fields', such as fields=celsius");
    }
    if (points > 0 && fields.size() != 1) {
      throw new IllegalArgumentException("'points' needs one field, such as fields=celsius");
    }
    if (everyUs == 0 && parameters.containsKey("agg")) {
      throw new IllegalArgumentException("'agg' needs 'every', such as every=1m");
    }
    return new AnswerShape(everyUs, points, fields, aggregates(text(parameters, "agg")));
  }

  /** Whether rows are computed, instead of records being shown. */
  boolean isComputed() {
    return everyUs > 0 || points > 0;
  }

  private static String text(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of("")).get(0);
  }

  private static long everyUs(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    Matcher matcher = EVERY.matcher(text);
    if (matcher.matches()) {
      long unit = UNIT_US.getOrDefault(matcher.group(2), 0L);
      long us = Long.parseLong(matcher.group(1)) * unit;
      if (us >= TimeUnit.SECONDS.toMicros(1) && us <= TimeUnit.DAYS.toMicros(1)) {
        return us;
      }
    }
    throw new IllegalArgumentException(
        "'every' is '" + text + "'; expected 1s to 1d, as a number with ms, s, m, h or d");
  }

  private static int points(String text, int maxLimit) {
    if (text.isEmpty()) {
      return 0;
    }
    if (text.matches("\\d{1,9}")) {
      int points = Integer.parseInt(text);
      if (points >= FEWEST_POINTS && points <= maxLimit) {
        return points;
      }
    }
    throw new IllegalArgumentException(
        "'points' is '" + text + "'; expected a number from " + FEWEST_POINTS + " to " + maxLimit);
  }

  private static List<String> fields(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    Set<String> fields = new LinkedHashSet<>(List.of(text.split(",", -1)).stream().toList());
    if (fields.size() > MOST_FIELDS
        || fields.size() < text.split(",", -1).length
        || fields.stream().anyMatch(path -> List.of(path.split("\\.", -1)).contains(""))) {
      throw new IllegalArgumentException(
          "'fields' is '%s'; expected up to %d different paths, such as celsius,motor.rpm"
              .formatted(text, MOST_FIELDS));
    }
    return List.copyOf(fields);
  }

  private static Set<Aggregate> aggregates(String text) {
    Set<Aggregate> wanted = EnumSet.noneOf(Aggregate.class);
    for (String name : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      wanted.add(aggregate(name));
    }
    return wanted.isEmpty() ? EnumSet.allOf(Aggregate.class) : wanted;
  }

  private static Aggregate aggregate(String name) {
    for (Aggregate one : Aggregate.values()) {
      if (one.text().equals(name.toLowerCase(Locale.ROOT))) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "'agg' has '" + name + "'; expected some of min,max,avg,last,count");
  }
}
