package io.galop.persist.mongo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data comes back byte for byte, whether it can be a document or not. */
class MongoRecordTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                               | data",
        "{\"a\":1,\"b\":[true,null,-2.5,{\"ö\":\"\\\"x\"}]} | data",
        "{\"big\":9223372036854775807,\"small\":0.001}      | data",
        "{ \"a\" : 1 }                                    | data raw",
        "{\"a\":1.50}                                     | data raw",
        "{\"a\":1e5,\"b\":\"\\u00e4\"}                      | data raw",
        "{\"a\":18446744073709551616}                     | data raw",
        "{\"a\":\"\\ud800\"}                                | data raw",
        "{\"a\":1,\"a\":2}                                  | raw",
        "{\"$a\":1}                                       | raw",
        "{\"a.b\":1}                                      | raw",
        "{\"a\\u0000b\":1}                                | raw",
        "{\"a\":1e999}                                    | raw"
      })
  void dataComesBackByteForByte(String json, String kept) {
    check(json, kept);
  }

  @ParameterizedTest
  @CsvSource({"80, data", "200, raw"})
  void alsoDeeplyNested(int levels, String kept) {
    check("{\"a\":".repeat(levels) + "1" + "}".repeat(levels), kept);
  }

  private static void check(String json, String kept) {
    Placed placed =
        new Placed(
            new Position(3, 4, 5),
            new Record("id", "t", -1_500L, json.getBytes(StandardCharsets.UTF_8)));
    BsonDocument document = MongoRecord.of(placed, new BsonDateTime(0));
    String has = (document.containsKey("data") ? "data " : "") + (has(document) ? "raw" : "");
    assertEquals(kept, has.strip());
    assertEquals(-2, document.getDateTime("time").getValue());
    Placed back = MongoRecord.placed(document.append("_id", new BsonString("id")));
    assertEquals(json, new String(back.record().data(), StandardCharsets.UTF_8));
    assertEquals(placed.position(), back.position());
    assertEquals(-1_500L, back.record().timeUs());
  }

  private static boolean has(BsonDocument document) {
    return document.containsKey("raw");
  }
}
