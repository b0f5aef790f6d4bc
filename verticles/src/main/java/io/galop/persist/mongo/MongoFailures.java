package io.galop.persist.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BadRecordException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Tells what is about a record from what is about the database. */
final class MongoFailures {
  private static final int DUPLICATE = 11_000;

  /**
   * Codes that are about a document: bad value, not to be parsed, its names, too deep, against the
   * collection's rules, too large; and what an index of the operator's cannot take: two lists, no
   * place on earth or on its plane, a list where it makes a hash.
   */
  private static final Set<Integer> BAD =
      Set.of(
          2, 9, 14, 15, 52, 55, 56, 57, 121, 171, 10_334, 13_026, 13_027, 13_067, 13_068, 16_755,
          16_766, 17_280, 17_419, 17_420, 7_655_103);

  /**
   * Of these the ones that a server says of a whole command for the sake of a document that it
   * cannot even read: too deep, too large. What else it says of a command is about how it was asked
   * or set up, and would be said of each record.
   */
  private static final Set<Integer> UNREADABLE = Set.of(15, 10_334);

  private MongoFailures() {}

  /**
   * What to make of a failed batch.
   *
   * @param ids of its statements, in their order
   * @param there asks which of some ids the database has: servers do not all say which index it is
   *     that has a record's value already, and only that of the ids means a repeat
   */
  static Future<Integer> recover(
      Throwable failure,
      List<BsonString> ids,
      Function<List<BsonString>, Future<Set<BsonString>>> there) {
    if (failure instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() == null) {
      return recover(bulk, ids, there);
    }
    if (failure instanceof BSONException || isUnreadable(failure)) {
      return Future.failedFuture(new BadRecordException(ErrorText.of(failure), failure));
    }
    return Future.failedFuture(failure);
  }

  private static boolean isUnreadable(Throwable failure) {
    return failure instanceof MongoException error && UNREADABLE.contains(error.getCode());
  }

  /** Whether what {@link #recover} calls bad has a value that another document has already. */
  static boolean isDuplicate(Throwable failure) {
    return failure instanceof BadRecordException
        && failure.getCause() instanceof MongoBulkWriteException bulk
        && bulk.getWriteErrors().stream().anyMatch(MongoFailures::isDuplicate);
  }

  private static boolean isDuplicate(BulkWriteError error) {
    return error.getCode() == DUPLICATE;
  }

  private static Future<Integer> recover(
      MongoBulkWriteException bulk,
      List<BsonString> ids,
      Function<List<BsonString>, Future<Set<BsonString>>> there) {
    List<BulkWriteError> errors = bulk.getWriteErrors();
    if (!errors.stream().allMatch(error -> isDuplicate(error) || BAD.contains(error.getCode()))) {
      return Future.failedFuture(bulk);
    }
    List<BsonString> twice =
        errors.stream()
            .filter(MongoFailures::isDuplicate)
            .map(error -> ids.get(error.getIndex()))
            .toList();
    Future<Set<BsonString>> found =
        twice.isEmpty() ? Future.succeededFuture(Set.of()) : there.apply(twice);
    return found.compose(has -> judge(bulk, ids, has));
  }

  /** Two that upsert the same id at once may find one another: then it is there. */
  private static Future<Integer> judge(
      MongoBulkWriteException bulk, List<BsonString> ids, Set<BsonString> has) {
    return bulk.getWriteErrors().stream()
        .filter(error -> !isDuplicate(error) || !has.contains(ids.get(error.getIndex())))
        .findFirst()
        .map(bad -> Future.<Integer>failedFuture(new BadRecordException(bad.getMessage(), bulk)))
        .orElseGet(() -> Future.succeededFuture(bulk.getWriteResult().getUpserts().size()));
  }

  /**
   * An answer to an update or delete may be fine and yet say that it is not done or not durable.
   */
  static Future<Void> check(BsonDocument answer) {
    boolean failed = answer.containsKey("writeConcernError") || answer.containsKey("writeErrors");
    return failed
        ? Future.failedFuture("the database did not keep it: " + answer.toJson())
        : Future.succeededFuture();
  }
}
