package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.record.Record;
import io.galop.record.View;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Leaves so many records of the past that no topic has more than a view allows: time is divided
 * into parts of 1 / maxRate seconds, and of each part a topic shows the first record that the
 * answer comes to. The parts are the same for every question and only whole ones are answered, so
 * nobody gets more by asking for other times. On the event loop of the answer.
 */
final class Thinning {
  /** How many records a node is asked for at least: few of them are left. */
  private static final int LEAST_ASKED = 1_000;

  /** 0: all records are left. */
  private final long partUs;

  /** Topics that have shown a record of {@link #part}: no more than records were written. */
  private final Set<String> shown = new HashSet<>();

  private long part;

  private Thinning(long partUs) {
    this.partUs = partUs;
  }

  static Thinning of(View view) {
    long second = TimeUnit.SECONDS.toMicros(1);
    return new Thinning(
        view.isPaced() ? Math.max(1, (long) Math.ceil(second / view.maxRate())) : 0);
  }

  /** A question for whole parts only, none of which is the present one. */
  HistoryQuery whole(HistoryQuery query, long nowUs) {
    if (partUs == 0) {
      return query;
    }
    long from = query.fromUs();
    if (from != Long.MIN_VALUE) {
      from = from > nowUs ? nowUs : -Math.floorDiv(-Math.max(from, -nowUs), partUs) * partUs;
    }
    long to = Math.floorDiv(Math.min(query.toUs(), nowUs) + 1, partUs) * partUs - 1;
    boolean isNone = query.toUs() < -nowUs || from > to;
    return new HistoryQuery(
        query.filter(),
        isNone ? Long.MIN_VALUE : from,
        isNone ? Long.MIN_VALUE : to,
        query.limit(),
        query.newestFirst(),
        query.next());
  }

  /**
   * A question for what may come behind a place, with all of the part that it is in: only so is it
   * known what of the part was shown.
   */
  HistoryQuery behind(HistoryQuery query, long timeUs) {
    long begin = partUs == 0 ? timeUs : Math.floorDiv(timeUs, partUs) * partUs;
    long end = partUs == 0 ? timeUs : begin + partUs - 1;
    return new HistoryQuery(
        query.filter(),
        query.newestFirst() ? query.fromUs() : Math.max(query.fromUs(), begin),
        query.newestFirst() ? Math.min(query.toUs(), end) : query.toUs(),
        query.limit(),
        query.newestFirst(),
        query.next());
  }

  /** What nodes are asked for. */
  HistoryQuery asked(HistoryQuery query) {
    return partUs == 0
        ? query
        : new HistoryQuery(
            query.filter(),
            query.fromUs(),
            query.toUs(),
            Math.max(LEAST_ASKED, query.limit()),
            query.newestFirst(),
            query.next());
  }

  /** Whether a record is left; they come in the order of their times. */
  boolean takes(Record record) {
    if (partUs == 0) {
      return true;
    }
    long now = Math.floorDiv(record.timeUs(), partUs);
    if (now != part) {
      part = now;
      shown.clear();
    }
    return shown.add(record.topic());
  }
}
