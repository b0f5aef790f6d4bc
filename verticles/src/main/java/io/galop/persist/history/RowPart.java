package io.galop.persist.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A stretch of time of which rows are made from records, or from roll-ups; in microseconds since
 * 1970.
 *
 * @param toUs the last that belongs to it
 */
record RowPart(long fromUs, long toUs, boolean isRolled) {
  static final long MINUTE_US = TimeUnit.MINUTES.toMicros(1);
  static final long HOUR_US = TimeUnit.HOURS.toMicros(1);

  /** Whether buckets of a length are made of whole minutes that hours or days have. */
  static boolean canBeRolled(long everyUs) {
    return everyUs > 0
        && everyUs % MINUTE_US == 0
        && (everyUs % HOUR_US == 0 || HOUR_US % everyUs == 0);
  }

  /**
   * How a time is parted. Roll-ups have whole minutes; what is before they begin, and the minutes
   * that the time cuts, are made of records.
   *
   * @param sinceUs from when on there are roll-ups, a whole minute; {@link Long#MIN_VALUE} for
   *     always, {@link Long#MAX_VALUE} for never
   * @return in the order of the answer; never empty
   */
  static List<RowPart> of(long fromUs, long toUs, long sinceUs, boolean newestFirst) {
    long begin = up(Math.max(fromUs, sinceUs));
    long end = toUs == Long.MAX_VALUE ? Long.MAX_VALUE : down(toUs + 1) - 1;
    if (begin > end || sinceUs == Long.MAX_VALUE) {
      return List.of(new RowPart(fromUs, toUs, false));
    }
    List<RowPart> parts = new ArrayList<>();
    if (fromUs < begin) {
      parts.add(new RowPart(fromUs, begin - 1, false));
    }
    parts.add(new RowPart(begin, end, true));
    if (end < toUs) {
      parts.add(new RowPart(end + 1, toUs, false));
    }
    if (newestFirst) {
      Collections.reverse(parts);
    }
    return List.copyOf(parts);
  }

  private static long up(long timeUs) {
    if (timeUs < Long.MIN_VALUE + MINUTE_US || timeUs > Long.MAX_VALUE - MINUTE_US) {
      return timeUs;
    }
    return down(timeUs + MINUTE_US - 1);
  }

  private static long down(long timeUs) {
    return timeUs < Long.MIN_VALUE + MINUTE_US
        ? timeUs
        : Math.floorDiv(timeUs, MINUTE_US) * MINUTE_US;
  }
}
