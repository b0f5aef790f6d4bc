package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** The limits that every record has to keep, whatever door it comes through. */
public record LimitsConfig(
    @Doc("Longest topic name.") @Default("256") @Range(min = 1, max = 4096) int maxTopicBytes,
    @Doc("Longest id.") @Default("128") @Range(min = 8, max = 1024) int maxIdBytes,
    @Doc("Largest data of a record.") @Default("65536") @Range(min = 16, max = 16_777_216)
        int maxDataBytes,
    @Doc("Deepest nesting of objects and arrays.") @Default("32") @Range(min = 1, max = 512)
        int maxDepth,
    @Doc("Most fields of the data, nested ones included.")
        @Default("2048")
        @Range(min = 1, max = 1_000_000)
        int maxFields) {

  /** What a dead letter adds at most to a record within the limits: its detail and its names. */
  private static final int LETTER_BYTES = 4096;

  /** The largest record that a door makes, a dead letter of one included. */
  public int largestRecordBytes() {
    return maxLineBytes() + LETTER_BYTES;
  }

  /** The longest line that a record within the limits can need, with every name escaped. */
  public int maxLineBytes() {
    return maxDataBytes + 6 * (maxTopicBytes + maxIdBytes) + 1024;
  }
}
