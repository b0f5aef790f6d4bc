package io.galop.enrich;

import io.galop.record.DerivedId;
import io.galop.record.Record;

/**
 * The raw record that a record is or was made of: its id, and a mark of its topic, since each topic
 * has ids of its own.
 */
record RawId(String id, String topicMark) {
  static RawId of(Record record) {
    return new RawId(DerivedId.raw(record.id()), DerivedId.origin(record));
  }
}
