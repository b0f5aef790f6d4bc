package io.galop.ingest.parse;

import io.galop.record.Record;
import io.galop.record.Rejection;

/** Where a {@link RecordReader} puts what it has made of a line. */
public interface RecordSink {
  /**
   * Takes a record.
   *
   * @param shard the shard of its topic
   * @param line the line it stood on, from 1
   */
  void accept(Record record, int shard, int line);

  /** Takes note of a record that was refused. */
  void reject(Rejection rejection);
}
