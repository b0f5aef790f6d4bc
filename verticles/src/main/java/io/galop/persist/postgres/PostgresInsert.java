package io.galop.persist.postgres;

import io.galop.record.Placed;
import io.galop.record.Record;
import java.util.List;

/**
 * The statement that stores the records of a batch. Its parameters are columns, so that its text is
 * the same for batches of every size, and is prepared once for each connection.
 */
final class PostgresInsert {
  static final String SQL =
      "INSERT INTO galop_records (id, topic, time_us, data, shard, epoch, \"offset\", stored_us)"
          + " SELECT i, t, u, convert_from(d, 'UTF8'), s, e, o, ?::bigint"
          + " FROM unnest(?::text[], ?::text[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[],"
          + " ?::bigint[]) AS r(i, t, u, d, s, e, o)"
          + " ON CONFLICT (topic, id) DO NOTHING";

  private PostgresInsert() {}

  /** What stands for the question marks. */
  static List<Object> parameters(List<Placed> records, long nowUs) {
    int rows = records.size();
    String[] ids = new String[rows];
    String[] topics = new String[rows];
    Long[] times = new Long[rows];
    byte[][] data = new byte[rows][];
    Long[] shards = new Long[rows];
    Long[] epochs = new Long[rows];
    Long[] offsets = new Long[rows];
    for (int i = 0; i < rows; i++) {
      Placed placed = records.get(i);
      Record record = placed.record();
      ids[i] = record.id();
      topics[i] = record.topic();
      times[i] = record.timeUs();
      data[i] = record.data();
      shards[i] = (long) placed.position().shard();
      epochs[i] = placed.position().epoch();
      offsets[i] = placed.position().offset();
    }
    return List.of(nowUs, ids, topics, times, data, shards, epochs, offsets);
  }

  /** Whether an id or a topic has the one character that no text of PostgreSQL can hold. */
  static boolean hasNul(List<Placed> records) {
    for (Placed placed : records) {
      Record record = placed.record();
      if (record.id().indexOf('\0') >= 0 || record.topic().indexOf('\0') >= 0) {
        return true;
      }
    }
    return false;
  }
}
