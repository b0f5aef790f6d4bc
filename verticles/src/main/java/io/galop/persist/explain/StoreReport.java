package io.galop.persist.explain;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.config.persist.SamplingConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.AskedRecord;
import io.galop.node.Reports;
import io.galop.persist.sink.Sink;
import io.galop.persist.store.Store;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Which stores of this node have a record, and how far they are, by the name {@code
 * explain/stores}; records of an id in the stores, by {@code explain/search}. From any thread; each
 * store is asked for one record after the other.
 */
public final class StoreReport {
  private static final int MOST_WAITING = 4;
  private static final String NOT_ASKED = "it is not asked: it is written only";

  private final Vertx vertx;
  private final List<Held> stores = new CopyOnWriteArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();

  private record Held(String name, Store store, Supplier<SamplingConfig> sampling, Sink sink) {
    boolean isSampled() {
      SamplingConfig present = sampling.get();
      return present.every() != 1 || !present.rules().isEmpty();
    }
  }

  public StoreReport(Vertx vertx, Reports reports) {
    this.vertx = vertx;
    reports.share("explain/stores", parameters -> bounded(() -> holding(parameters)));
    reports.share("explain/search", parameters -> bounded(() -> search(parameters)));
  }

  /** A store of the node. */
  public void add(String name, Store store, Supplier<SamplingConfig> sampling, Sink sink) {
    stores.add(new Held(name, store, sampling, sink));
  }

  private interface Question {
    Future<JsonObject> ask();
  }

  private Future<JsonObject> bounded(Question question) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST_WAITING + " questions wait already; ask again"));
    }
    try {
      return question.ask().onComplete(done -> waiting.decrementAndGet());
    } catch (RuntimeException wrong) {
      waiting.decrementAndGet();
      throw wrong;
    }
  }

  private Future<JsonObject> holding(Map<String, String> parameters) {
    List<AskedRecord> asked = AskedRecord.of(parameters);
    Loop loop = Loop.current(vertx);
    List<Future<JsonObject>> all = new ArrayList<>();
    for (Held held : stores) {
      StoreLook look = new StoreLook(loop, held.name(), held.store());
      all.add(oneByOne(held, look, asked, 0, new JsonArray()));
    }
    return Future.join(all)
        .map(done -> new JsonObject().put("stores", new JsonArray(done.<JsonObject>list())));
  }

  /** {@code {"store":…,"lagRecords":…,…,"records":[{"holds":…},…]}}, as many as were asked for. */
  private Future<JsonObject> oneByOne(
      Held held, StoreLook look, List<AskedRecord> asked, int next, JsonArray answers) {
    if (next == asked.size()) {
      return Future.succeededFuture(
          new JsonObject()
              .put("store", held.name())
              .put("sampled", held.isSampled())
              .put("lagBytes", held.sink().lagBytes())
              .put("lagRecords", held.sink().lagRecords())
              .put("cursor", held.sink().cursor())
              .put("records", answers));
    }
    Future<JsonObject> holds =
        held.store().isAsked()
            ? look.holds(asked.get(next)).map(StoreReport::holds)
            : Future.succeededFuture(new JsonObject().put("why", NOT_ASKED));
    return holds
        .otherwise(failure -> new JsonObject().put("why", ErrorText.of(failure)))
        .compose(one -> oneByOne(held, look, asked, next + 1, answers.add(one)));
  }

  private static JsonObject holds(StoreLook.Result result) {
    if (result.records().isEmpty() && !result.isWhole()) {
      return new JsonObject()
          .put(
              "why",
              "it has more records of that topic and time than are looked at for one question");
    }
    JsonObject holds = new JsonObject().put("holds", !result.records().isEmpty());
    result.records().stream()
        .findFirst()
        .ifPresent(one -> holds.put("pos", one.position().toString()));
    return holds;
  }

  private Future<JsonObject> search(Map<String, String> parameters) {
    String topic = parameters.getOrDefault("topic", "");
    String id = parameters.getOrDefault("id", "");
    long fromUs = Long.parseLong(parameters.getOrDefault("fromUs", "0"));
    long toUs = Long.parseLong(parameters.getOrDefault("toUs", "0"));
    Loop loop = Loop.current(vertx);
    List<Future<JsonObject>> all = new ArrayList<>();
    for (Held held : stores) {
      if (!held.store().isAsked()) {
        JsonObject none = new JsonObject().put("store", held.name()).put("why", NOT_ASKED);
        all.add(Future.succeededFuture(none));
        continue;
      }
      all.add(
          new StoreLook(loop, held.name(), held.store())
              .find(topic, id, fromUs, toUs)
              .map(result -> json(held, result))
              .otherwise(
                  failure ->
                      new JsonObject()
                          .put("store", held.name())
                          .put("why", ErrorText.of(failure))));
    }
    return Future.join(all)
        .map(done -> new JsonObject().put("stores", new JsonArray(done.<JsonObject>list())));
  }

  private static JsonObject json(Held held, StoreLook.Result result) {
    JsonArray records = new JsonArray();
    result.records().stream().limit(AskedRecord.MOST).map(MemoryReport::json).forEach(records::add);
    return new JsonObject()
        .put("store", held.name())
        .put("whole", result.isWhole())
        .put("reachedUs", result.reachedUs())
        .put("records", records);
  }
}
