package io.galop.enrich;

import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.Enricher;
import io.galop.enrich.step.Scope;
import io.galop.jvm.ErrorText;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the row of a reference table in a file. The table is read on a worker, at start and when its
 * file has changed; a file that is broken then is counted and leaves the old table in use.
 */
final class Lookup implements Enricher {
  private static final Logger LOG = LoggerFactory.getLogger(Lookup.class);

  private final Vertx vertx;
  private final LookupConfig config;
  private final Counter refreshFailures;
  private final LookupKey key;
  private final LookupOutcome outcome;
  private final Enricher each;
  private final TableFile file;

  @SuppressWarnings("NullAway.Init") // start reads it, before a record comes
  private ReferenceTable table;

  private boolean refreshing;
  private long timer = -1;

  Lookup(Vertx vertx, LookupConfig config, String directory, EnrichMeters meters) {
    this.vertx = vertx;
    this.config = config;
    this.refreshFailures = meters.lookupRefreshFailures(config.table());
    this.key = new LookupKey(config);
    this.outcome = new LookupOutcome(config, key.where(), meters);
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
    LOG.warn("{}; the earlier rows stay in use", ErrorText.of(failure));
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records) {
    return each.enrich(records);
  }

  private void apply(Record record, List<Record> to) {
    String name = key.of(record);
    Optional<byte[]> found = table.field(name);
    if (found.isPresent()) {
      outcome.found(record, found.get(), to);
    } else {
      outcome.missing(record, name, to);
    }
  }

  @Override
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.succeededFuture();
  }
}
