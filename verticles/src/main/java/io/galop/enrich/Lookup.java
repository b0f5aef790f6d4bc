package io.galop.enrich;

import io.galop.config.LookupConfig;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the row of a reference table. The table is read on a worker, at start and when its file has
 * changed; a file that is broken then is counted and leaves the old table in use.
 */
final class Lookup implements Enricher {
  private static final Logger LOG = LoggerFactory.getLogger(Lookup.class);
  private static final String NO_KEY = "";

  private final Vertx vertx;
  private final LookupConfig config;
  private final Counter misses;
  private final Counter dropped;
  private final Counter deadLetters;
  private final Counter refreshFailures;
  private final JsonField field;
  private final DeadLetter deadLetter;
  private final Enricher each;
  private final TableFile file;
  private ReferenceTable table;
  private boolean refreshing;
  private long timer = -1;

  Lookup(Vertx vertx, LookupConfig config, String directory, EnrichMeters meters) {
    this.vertx = vertx;
    this.config = config;
    this.misses = meters.lookupMisses(config.table());
    this.dropped = meters.dropped("lookup");
    this.deadLetters = meters.deadLetters("lookup", config.table());
    this.refreshFailures = meters.lookupRefreshFailures(config.table());
    this.field = new JsonField(config.field());
    this.deadLetter = new DeadLetter("lookup", config.table(), Reason.LOOKUP_MISS);
    this.each = new EachRecord(new Scope(config.topics()), this::apply);
    this.file = new TableFile(config, directory);
  }

  @Override
  public Future<Void> start() {
    return load()
        .onSuccess(
            loaded -> {
              if (config.refreshMs() > 0) {
                timer = vertx.setPeriodic(config.refreshMs(), id -> refresh());
              }
            });
  }

  private Future<Void> load() {
    return vertx
        .executeBlocking(file::load)
        .onSuccess(loaded -> table = loaded)
        .onSuccess(loaded -> LOG.info("table {}: {} rows", config.table(), loaded.size()))
        .mapEmpty();
  }

  private void refresh() {
    if (refreshing) {
      return;
    }
    refreshing = true;
    vertx
        .executeBlocking(file::hasChanged)
        .compose(changed -> changed ? load() : Future.succeededFuture())
        .onFailure(this::keepOld)
        .onComplete(done -> refreshing = false);
  }

  private void keepOld(Throwable failure) {
    refreshFailures.increment();
    LOG.warn("{}; the rows read before stay in use", failure.getMessage());
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records) {
    return each.enrich(records);
  }

  private void apply(Record record, List<Record> to) {
    String key = key(record);
    Optional<byte[]> found = table.field(key);
    if (found.isEmpty()) {
      miss(record, key, to);
      return;
    }
    byte[] data = JsonText.withField(record.data(), found.get());
    to.add(new Record(record.id(), record.topic(), record.timeUs(), data));
  }

  private String key(Record record) {
    if (config.topicLevel() > 0) {
      return level(record.topic(), config.topicLevel());
    }
    return field.find(record.data()) && !field.isNested() ? field.text() : NO_KEY;
  }

  private static String level(String topic, int level) {
    int start = 0;
    for (int i = 1; i < level; i++) {
      start = topic.indexOf('/', start) + 1;
      if (start == 0) {
        return NO_KEY;
      }
    }
    int end = topic.indexOf('/', start);
    return topic.substring(start, end < 0 ? topic.length() : end);
  }

  private void miss(Record record, String key, List<Record> to) {
    misses.increment();
    switch (config.onMiss()) {
      case PASS -> to.add(record);
      case DROP -> dropped.increment();
      case REJECT -> to.add(rejected(record, key));
    }
  }

  private Record rejected(Record record, String key) {
    deadLetters.increment();
    String where =
        config.topicLevel() > 0
            ? "level " + config.topicLevel() + " of the topic"
            : "the field '" + config.field() + "'";
    String detail =
        key.equals(NO_KEY)
            ? where + " holds no key"
            : "the table " + config.table() + " has no row '" + key + "', the key in " + where;
    return deadLetter.of(record, detail);
  }

  @Override
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.succeededFuture();
  }
}
