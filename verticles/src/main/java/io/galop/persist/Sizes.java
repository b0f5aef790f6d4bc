package io.galop.persist;

import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.List;

/** About how many bytes records take. */
final class Sizes {
  private Sizes() {}

  /** All together. */
  static int bytes(List<Record> records) {
    long bytes = 0;
    for (Record record : records) {
      bytes += RecordCodec.approximateBytes(record);
    }
    return (int) Math.min(Integer.MAX_VALUE / 2, bytes);
  }

  /** The largest. */
  static int largest(List<Record> records) {
    return records.stream().mapToInt(RecordCodec::approximateBytes).max().orElse(0);
  }
}
