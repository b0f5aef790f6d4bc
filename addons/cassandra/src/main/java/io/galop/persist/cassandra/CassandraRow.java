package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A record as a row. The data goes and comes as bytes: nothing decodes it. */
final class CassandraRow {
  private CassandraRow() {}

  /** Binds {@link CassandraStatements#insert}. */
  static BoundStatement bind(
      PreparedStatement insert, Placed placed, Instant bucket, long nowUs, int ttlSeconds) {
    Record record = placed.record();
    Position position = placed.position();
    long timeMs = Math.floorDiv(record.timeUs(), TimeUnit.MILLISECONDS.toMicros(1));
    return insert
        .boundStatementBuilder()
        .setString(0, record.topic())
        .setInstant(1, bucket)
        .setLong(2, record.timeUs())
        .setString(3, record.id())
        .setInstant(4, Instant.ofEpochMilli(timeMs))
        .setBytesUnsafe(5, ByteBuffer.wrap(record.data()))
        .setInt(6, position.shard())
        .setLong(7, position.epoch())
        .setLong(8, position.offset())
        .setLong(9, nowUs)
        .setInt(10, ttlSeconds)
        .build();
  }

  /** Of the columns id, topic, time_us, data, shard, epoch, offset. */
  static Placed placed(Row row) {
    ByteBuffer text = Objects.requireNonNull(row.getBytesUnsafe(3));
    byte[] data = new byte[text.remaining()];
    text.duplicate().get(data);
    Record record =
        new Record(
            Objects.requireNonNull(row.getString(0)),
            Objects.requireNonNull(row.getString(1)),
            row.getLong(2),
            data);
    return new Placed(new Position(row.getInt(4), row.getLong(5), row.getLong(6)), record);
  }
}
