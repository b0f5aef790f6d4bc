package io.galop.persist.mongo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.bulk.WriteConcernError;
import io.galop.persist.store.BadRecordException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the errors of a batch, whatever the words of the server. */
class MongoFailuresTest {
  private static final List<BsonString> IDS =
      List.of(new BsonString("a"), new BsonString("b"), new BsonString("c"), new BsonString("d"));
  private static final BsonString THERE = new BsonString("a");
  private static final int DUPLICATE = 11_000;
  private static final int NOT_PRIMARY = 10_107;

  private final List<BsonString> asked = new ArrayList<>();

  private static MongoBulkWriteException bulk(List<BulkWriteError> errors, boolean isDurable) {
    List<BulkWriteUpsert> upserts = List.of(new BulkWriteUpsert(3, new BsonString("d")));
    WriteConcernError late = new WriteConcernError(64, "late", "waited", new BsonDocument());
    return new MongoBulkWriteException(
        BulkWriteResult.acknowledged(0, 0, 0, 0, upserts, List.of()),
        errors,
        isDurable ? null : late,
        new ServerAddress(),
        Set.of());
  }

  private static BulkWriteError error(int code, String message, int index) {
    return new BulkWriteError(code, message, new BsonDocument("n", new BsonInt32(index)), index);
  }

  private Future<Integer> recover(MongoBulkWriteException bulk) {
    return MongoFailures.recover(
        bulk,
        IDS,
        some -> {
          asked.addAll(some);
          return Future.succeededFuture(Set.of(THERE));
        });
  }

  /** Servers name the index each in their own way, or not at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "E11000 duplicate key error collection: g.galop_records index: _id_ dup key: { _id: 1 }",
        "Duplicate key violation on the requested collection: Index '_id_'",
        "Failed _id or unique index constraint",
        "E11000 duplicate key error collection: g.galop_records index: n_1 dup key: { n: 1 }",
        "Duplicate key violation on the requested collection: Index 'n_1'",
        ""
      })
  void aDuplicateIsARepeatIfItsIdIsThereAndBadIfNot(String message) {
    assertEquals(1, recover(bulk(List.of(error(DUPLICATE, message, 0)), true)).result());
    Throwable bad = recover(bulk(List.of(error(DUPLICATE, message, 1)), true)).cause();
    assertInstanceOf(BadRecordException.class, bad);
    assertEquals(List.of(IDS.get(0), IDS.get(1)), asked);
  }

  @Test
  void aRepeatBesideARefusalHidesItNot() {
    List<BulkWriteError> errors =
        List.of(error(DUPLICATE, "repeat", 0), error(DUPLICATE, "refused", 2));
    Throwable bad = recover(bulk(errors, true)).cause();
    assertInstanceOf(BadRecordException.class, bad);
    assertEquals("refused", bad.getMessage());
  }

  /** Two lists, a list of a hash, no place on earth, none on a plane, not as the rules say. */
  @ParameterizedTest
  @ValueSource(ints = {171, 16_766, 16_755, 13_026, 13_027, 121, 17_419, 17_420, 7_655_103})
  void whatIsAboutARecordIsBadAlsoBesideARepeat(int code) {
    List<BulkWriteError> errors = List.of(error(DUPLICATE, "", 0), error(code, "bad", 1));
    assertInstanceOf(BadRecordException.class, recover(bulk(errors, true)).cause());
  }

  /** Nothing is settled: neither of a record that is refused nor of one that is there. */
  @ParameterizedTest
  @CsvSource({"0", "1"})
  void theStoreWaitsWhereTheDatabaseIsAtFaultToo(int index) {
    List<BulkWriteError> errors =
        List.of(error(DUPLICATE, "", index), error(NOT_PRIMARY, "not primary", 2));
    MongoBulkWriteException both = bulk(errors, true);
    assertSame(both, recover(both).cause());
    MongoBulkWriteException late = bulk(List.of(error(DUPLICATE, "", index)), false);
    assertSame(late, recover(late).cause());
  }

  private static Future<Integer> recover(int code) {
    BsonDocument answer =
        new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code));
    return recover(new MongoCommandException(answer, new ServerAddress()));
  }

  private static Future<Integer> recover(MongoCommandException failure) {
    return MongoFailures.recover(failure, IDS, some -> Future.succeededFuture(Set.of()));
  }

  /**
   * A server without replicas says 2 of {@code w: 2}; others 9 or 14 of a field they do not know.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 9, 14, 52, 121, 11_000, 171})
  void theStoreWaitsWhereTheWholeCommandFails(int code) {
    assertInstanceOf(MongoCommandException.class, recover(code).cause());
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 10_334})
  void aDocumentThatCannotEvenBeReadIsBad(int code) {
    assertInstanceOf(BadRecordException.class, recover(code).cause());
  }

  @Test
  void theStoreWaitsWhereItCannotAsk() {
    Exception away = new Exception("away");
    Future<Integer> done =
        MongoFailures.recover(
            bulk(List.of(error(DUPLICATE, "", 0)), true), IDS, some -> Future.failedFuture(away));
    assertSame(away, done.cause());
  }
}
