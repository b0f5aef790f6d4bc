package io.galop.persist.mongo;

import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** A record as a document, see {@link MongoSchema}. */
final class MongoRecord {
  private static final char TAB = '\t';
  private static final long US_PER_MS = 1_000;

  private MongoRecord() {}

  /**
   * The id, a tab and the topic. The tab stands in neither and is less than all that does, so that
   * these compare as records do in an answer.
   */
  static BsonString id(String id, String topic) {
    return new BsonString(id + TAB + topic);
  }

  static BsonString id(Record record) {
    return id(record.id(), record.topic());
  }

  /** Whether it was not written by a Galop of schema version 1. */
  static boolean hasTopic(BsonDocument document) {
    return document.getString("_id").getValue().indexOf(TAB) >= 0;
  }

  private static String id(BsonDocument document) {
    String id = document.getString("_id").getValue();
    return hasTopic(document) ? id.substring(0, id.indexOf(TAB)) : id;
  }

  /** All but the id. */
  static BsonDocument of(Placed placed, BsonDateTime now) {
    Record record = placed.record();
    Position position = placed.position();
    BsonDocument document =
        new BsonDocument("topic", new BsonString(record.topic()))
            .append("time", new BsonDateTime(Math.floorDiv(record.timeUs(), US_PER_MS)))
            .append("timeUs", new BsonInt64(record.timeUs()));
    BsonDocument data = JsonDocument.read(record.data());
    if (data != null) {
      document.append("data", data);
    }
    if (data == null || !Arrays.equals(JsonDocument.write(data), record.data())) {
      document.append("raw", new BsonString(new String(record.data(), StandardCharsets.UTF_8)));
    }
    return document
        .append("shard", new BsonInt32(position.shard()))
        .append("epoch", new BsonInt64(position.epoch()))
        .append("offset", new BsonInt64(position.offset()))
        .append("storedAt", now);
  }

  /** Reads it back, the data byte for byte. */
  static Placed placed(BsonDocument document) {
    byte[] data =
        document.containsKey("raw")
            ? document.getString("raw").getValue().getBytes(StandardCharsets.UTF_8)
            : JsonDocument.write(document.getDocument("data"));
    Position position =
        new Position(
            document.getNumber("shard").intValue(),
            document.getNumber("epoch").longValue(),
            document.getNumber("offset").longValue());
    return new Placed(
        position,
        new Record(
            id(document),
            document.getString("topic").getValue(),
            document.getNumber("timeUs").longValue(),
            data));
  }
}
