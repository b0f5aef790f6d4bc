package io.galop.persist.rollup;

import io.galop.bus.Refusal;
import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.persist.log.Log;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.sink.Sink;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.persist.store.Store;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The roll-ups of a node, as those see them who ask: with all that was on the disk of its Log when
 * they asked, or not at all. From event loops.
 */
public final class Rollups implements AutoCloseable {
  /** Of its sink, in meters and messages, and of its file. */
  public static final String NAME = "rollups";

  /** How often, and how many times at most, somebody who asks looks whether all is there. */
  private static final long LOOK_MS = 5;

  private static final int MOST_LOOKS = 200;
  private static final long ALL = Long.MAX_VALUE / 2;

  /** What was acknowledged is in answers after so long, and they wait for it. */
  private static final int BATCH_MS = 20;

  private static final long LONGEST_WRITE_MS = 600_000;
  private static final long LONGEST_PAUSE_MS = 10_000;

  private final RollupStore store;
  private final Supplier<LogPosition> durable;
  private volatile Supplier<LogPosition> handed = () -> LogPosition.START;

  /** What answers were promised to have: where the store begins again, rows wait for it. */
  private volatile LogPosition promised = LogPosition.START;

  private Rollups(RollupStore store, Supplier<LogPosition> durable) {
    this.store = store;
    this.durable = durable;
  }

  /** Those of a node's data directory; the file is opened by the sink that follows the Log. */
  public static Rollups of(Path directory, PersistConfig config, Log log) {
    RollupStore store =
        new RollupStore(
            directory.resolve(NAME + ".sqlite"),
            config.rollups(),
            () -> log.isWhole() ? Optional.empty() : Optional.of(log.positionForTail(ALL)),
            System::currentTimeMillis);
    return new Rollups(store, log::durable);
  }

  /** What a sink is to follow the Log for. */
  public Store store() {
    return store;
  }

  /** Its sink follows the Log. */
  public void follow(Sink sink) {
    handed = sink::handed;
  }

  /** How its sink is to be: much may be under way, as batches are answered together. */
  public static SinkConfig sink() {
    return new SinkConfig(
        SinkConfig.Driver.SYNC,
        Integer.MAX_VALUE,
        1 << 20,
        BATCH_MS,
        1_000,
        2 * RollupStore.MOST_PENDING_BYTES,
        LONGEST_WRITE_MS,
        LONGEST_PAUSE_MS,
        3,
        1 << 20,
        0);
  }

  /**
   * From when on it has all values of some fields of some topics: {@code {"isMeant":false}} if no
   * rule here means them, else also {@code sinceUs}, in microseconds since 1970, and {@code
   * lostUs}: before that it had some that it has no more.
   *
   * @return fails with a {@link Refusal} if it has not now what it should: it starts, or lags
   *     behind its Log by more than a second
   */
  public Future<JsonObject> since(TopicFilter filter, List<String> fields) {
    if (!store.isMeant(filter, fields)) {
      return Future.succeededFuture(new JsonObject().put("isMeant", false));
    }
    Promise<JsonObject> since = Promise.promise();
    await(new Question(filter, fields, durable.get()), MOST_LOOKS, since);
    return since.future();
  }

  /** What is asked, and what of the Log the answer has to know. */
  private record Question(TopicFilter filter, List<String> fields, LogPosition all) {}

  private void await(Question question, int looks, Promise<JsonObject> since) {
    boolean isOpen = store.since(question.filter(), question.fields()).isPresent();
    if (isOpen && handed.get().compareTo(question.all()) >= 0) {
      ContextHop.bring(store.settled())
          .onSuccess(settled -> answer(question, since))
          .onFailure(since::fail);
    } else if (looks == 0) {
      since.fail(new Refusal(Refusal.Why.NOT_READY, "the roll-ups lag behind the Log"));
    } else {
      Vertx vertx = Vertx.currentContext().owner();
      vertx.setTimer(LOOK_MS, timer -> await(question, looks - 1, since));
    }
  }

  private void answer(Question question, Promise<JsonObject> since) {
    promise(question.all());
    OptionalLong now = store.since(question.filter(), question.fields());
    if (now.isPresent()) {
      since.complete(
          new JsonObject()
              .put("isMeant", true)
              .put("sinceUs", now.getAsLong())
              .put("lostUs", store.lostUs()));
    } else {
      since.fail(new Refusal(Refusal.Why.NOT_READY, "the roll-ups are opened again"));
    }
  }

  private synchronized void promise(LogPosition all) {
    promised = all.compareTo(promised) > 0 ? all : promised;
  }

  /**
   * A page of rows; see {@link RollupReader#rows}.
   *
   * @return fails if it has not all values any more, so that no row lacks some unseen
   */
  public Future<ColdPage> rows(ColdQuery query, long everyUs, List<String> fields) {
    int opening = store.openings();
    return store
        .reader()
        .rows(query, everyUs, fields)
        .compose(
            page ->
                hasAll(opening) && store.since(query.filter(), fields).isPresent()
                    ? Future.succeededFuture(page)
                    : Future.failedFuture(
                        new Refusal(Refusal.Why.NOT_READY, "the roll-ups are opened again")));
  }

  private boolean hasAll(int opening) {
    return store.openings() == opening && handed.get().compareTo(promised) >= 0;
  }

  @Override
  public void close() {
    store.close();
  }
}
