package io.galop.persist.mongo;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.record.Placed;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Answers questions: one find a page. */
record MongoReads(MongoLink link, String name) {
  private static final int MOST_DOCUMENTS = 1_000;

  Future<ColdPage> query(ColdQuery query) {
    int most = Math.min(query.limit(), MOST_DOCUMENTS);
    BsonInt32 order = new BsonInt32(query.newestFirst() ? -1 : 1);
    BsonDocument sort = new BsonDocument("timeUs", order).append("_id", order);
    return ContextHop.bring(
        link.read(new MongoFind(MongoSchema.RECORDS, filter(query), sort, most))
            .map(found -> page(query, most, found))
            .recover(failure -> Future.failedFuture(refusal(failure))));
  }

  private Refusal refusal(Throwable failure) {
    return failure instanceof RejectedExecutionException
        ? new Refusal(Why.BUSY, "too many queries wait for the store " + name)
        : new Refusal(
            Why.NOT_READY, "the store " + name + " cannot be read: " + failure.getMessage());
  }

  private static BsonDocument filter(ColdQuery query) {
    boolean up = !query.newestFirst();
    long afterUs = query.after().map(ColdKey::timeUs).orElse(0L);
    boolean goesOn = query.after().isPresent();
    long from = goesOn && up ? Math.max(query.fromUs(), afterUs) : query.fromUs();
    long to = goesOn && !up ? Math.min(query.toUs(), afterUs) : query.toUs();
    BsonDocument filter = new BsonDocument();
    topic(query.filter()).ifPresent(topic -> filter.append("topic", topic));
    filter.append(
        "timeUs", new BsonDocument("$gte", new BsonInt64(from)).append("$lte", new BsonInt64(to)));
    String beyond = up ? "$gt" : "$lt";
    query
        .after()
        .ifPresent(
            after -> {
              BsonInt64 timeUs = new BsonInt64(after.timeUs());
              BsonDocument later = new BsonDocument("timeUs", new BsonDocument(beyond, timeUs));
              BsonDocument same =
                  new BsonDocument("timeUs", timeUs)
                      .append(
                          "_id",
                          new BsonDocument(beyond, MongoRecord.id(after.id(), after.topic())));
              filter.append("$or", new BsonArray(List.of(later, same)));
            });
    return filter;
  }

  /** What the filter means; a fixed beginning lets the server use its index. */
  private static Optional<BsonValue> topic(TopicFilter filter) {
    String text = filter.toString();
    if (filter.isExact()) {
      return Optional.of(new BsonString(text));
    }
    if (text.equals("#")) {
      return Optional.empty();
    }
    boolean rest = text.endsWith("/#");
    String levels = rest ? text.substring(0, text.length() - 2) : text;
    StringBuilder pattern = new StringBuilder("^");
    for (String level : levels.split("/", -1)) {
      pattern.append(pattern.length() == 1 ? "" : "/");
      pattern.append(level.equals("+") ? "[^/]*" : escaped(level));
    }
    pattern.append(rest ? "(/.*)?$" : "$");
    return Optional.of(new BsonRegularExpression(pattern.toString(), "s"));
  }

  private static final Pattern SPECIAL = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}]");

  private static String escaped(String level) {
    return SPECIAL.matcher(level).replaceAll("\\\\$0");
  }

  private static ColdPage page(ColdQuery query, int most, List<BsonDocument> found) {
    List<Placed> records = new ArrayList<>();
    Optional<ColdKey> last = Optional.empty();
    long bytes = 0;
    for (BsonDocument document : found) {
      if (bytes >= query.maxBytes()) {
        return new ColdPage(records, last);
      }
      Placed placed = MongoRecord.placed(document);
      last = Optional.of(ColdKey.of(placed.record()));
      if (query.filter().matches(placed.record().topic())) {
        records.add(placed);
        bytes += placed.record().data().length;
      }
    }
    return new ColdPage(records, found.size() < most ? Optional.empty() : last);
  }
}
