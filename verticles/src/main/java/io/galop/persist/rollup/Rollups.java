package io.galop.persist.rollup;

import io.galop.record.TopicFilter;
import java.util.List;
import java.util.Map;

/**
 * Buckets that a store keeps of its records. A record is in its bucket if and only if it is, or was
 * before it was deleted, among the records: both are stored in one transaction. From any thread.
 */
public interface Rollups {

  /** A stretch of a shard's records that one owner has placed. */
  record Run(int shard, long epoch) {}

  /**
   * What was stored at a moment.
   *
   * @param fromUs buckets that begin then or later have all that was stored of their time
   * @param lastOffsets of each run up to which offset all is stored; of one that is not here
   *     nothing is known
   */
  record Extent(long fromUs, Map<Run, Long> lastOffsets) {
    public Extent {
      lastOffsets = Map.copyOf(lastOffsets);
    }
  }

  /** Which buckets are wanted: those that begin in [fromUs, toUs). */
  record Range(long fromUs, long toUs, boolean newestFirst) {}

  /** Chooses what is read, when it is known what there is. */
  interface Choice {
    Range of(Extent extent);
  }

  /** Gets buckets in the order of their begins. */
  interface Rows {
    /**
     * The values of a field of a topic in a bucket.
     *
     * @param field the place of the field in the question
     * @return whether more is wanted
     */
    boolean on(long beginUs, String topic, int field, Cell cell);
  }

  /** Whether all records of a filter, with these fields, are in buckets that add up to a length. */
  boolean cover(TopicFilter filter, List<String> fields, long everyUs);

  /** Reads what the choice says, all of one moment. Blocking. */
  void read(TopicFilter filter, List<String> fields, Choice choice, Rows rows) throws Exception;
}
