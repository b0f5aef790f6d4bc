package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.rollup.Cell;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * What roll-ups tell of an answer, in its order.
 *
 * @param before the records that come before them and are folded; empty: none
 * @param buckets whole ones
 * @param cutUs the begin of the first bucket that was not read, where more than may be were
 * @param behind the records that come behind them and are folded; empty: none
 */
record Rolled(
    Optional<HistoryQuery> before,
    List<Bucket> buckets,
    OptionalLong cutUs,
    Optional<HistoryQuery> behind) {

  /** The values of a bucket by topic. */
  record Bucket(long beginUs, SortedMap<String, Cell[]> topics) {}
}
