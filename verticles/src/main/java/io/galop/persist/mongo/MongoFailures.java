package io.galop.persist.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BadRecordException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BSONException;
import org.bson.BsonDocument;

/** Tells what is about a record from what is about the database. */
final class MongoFailures {
  private static final int DUPLICATE = 11_000;

  /**
   * Codes that are about a document: bad value, not to be parsed, its names, too deep, against the
   * collection's rules, too large; and what an index of the operator's cannot take: two lists, no
   * place on earth, a list where it makes a hash.
   */
  private static final Set<Integer> BAD =
      Set.of(2, 9, 14, 15, 52, 55, 56, 57, 121, 171, 10_334, 16_755, 16_766, 17_280);

  /** What a server says of a duplicate; some do not say of which index. */
  private static final Pattern INDEX = Pattern.compile("index: (\\S+)");

  private MongoFailures() {}

  /** What to make of a failed batch. */
  static Future<Integer> recover(Throwable failure) {
    if (failure instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() == null) {
      return recover(bulk);
    }
    if (failure instanceof BSONException || isTooLarge(failure)) {
      return Future.failedFuture(new BadRecordException(ErrorText.of(failure), failure));
    }
    return Future.failedFuture(failure);
  }

  private static boolean isTooLarge(Throwable failure) {
    return failure instanceof MongoException error && BAD.contains(error.getCode());
  }

  /** Two that upsert the same id at once may find one another: then it is there. */
  private static boolean isThere(BulkWriteError error) {
    return error.getCode() == DUPLICATE && !isOfOtherIndex(error);
  }

  /** An index of the operator's that takes each value once keeps the record out for good. */
  private static boolean isOfOtherIndex(BulkWriteError error) {
    Matcher index = INDEX.matcher(error.getMessage());
    return index.find() && !index.group(1).endsWith("_id_");
  }

  private static boolean isBad(BulkWriteError error) {
    return error.getCode() == DUPLICATE || BAD.contains(error.getCode());
  }

  private static Future<Integer> recover(MongoBulkWriteException bulk) {
    List<BulkWriteError> errors =
        bulk.getWriteErrors().stream().filter(error -> !isThere(error)).toList();
    if (errors.isEmpty()) {
      return Future.succeededFuture(bulk.getWriteResult().getUpserts().size());
    }
    boolean bad = errors.stream().allMatch(MongoFailures::isBad);
    String why = errors.get(0).getMessage();
    return Future.failedFuture(bad ? new BadRecordException(why, bulk) : bulk);
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
