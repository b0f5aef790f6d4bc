package io.galop.client;

import java.util.List;
import java.util.Map;

/**
 * An answer about the past, folded.
 *
 * @param rows by time, then topic; of a stretch without a value there is none
 * @param incomplete what did not answer: nodes, and stores as {@code node/store}; with {@code
 *     persist.history.maxFolded} the answer ends where the node had read as much as it may
 * @param next where the next page begins, for {@link HistoryQuery#after(HistoryRows)}; empty if
 *     there is none
 * @param isReduced whether of many values only the extremes of equal parts were considered; for
 *     {@link HistoryQuery#points}
 */
public record HistoryRows(List<Row> rows, String incomplete, String next, boolean isReduced) {
  public HistoryRows {
    rows = List.copyOf(rows);
  }

  /**
   * The records of one topic and stretch of time, or one point.
   *
   * @param time when the stretch begins, or of the point: microseconds since 1970 UTC
   * @param json the aggregates of each field, such as {@code {"celsius":{"min":19.5,"max":21}}}; of
   *     a point its values, {@code {"celsius":20.5}}
   * @param isPart whether the limits of the question or the present cut the stretch
   */
  public record Row(String topic, long time, String json, boolean isPart) {
    /** The aggregates as a map; see {@link FeedRecord#data}. */
    public Map<String, Object> data() {
      return Json.object(json);
    }
  }
}
