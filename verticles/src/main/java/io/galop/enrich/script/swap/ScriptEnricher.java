package io.galop.enrich.script.swap;

import io.galop.config.ScriptConfig;
import io.galop.enrich.DeadLetter;
import io.galop.enrich.EnrichMeters;
import io.galop.enrich.Enricher;
import io.galop.enrich.Scope;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.TopicStates;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Hands records to a script, on a worker of its own with one thread. At most one list of each shard
 * of this event loop waits there. A record that the script fails on becomes a {@link DeadLetter},
 * the others go on.
 */
public final class ScriptEnricher implements Enricher {
  private static final long NEVER_WARN_HOURS = 24;

  private final Vertx vertx;
  private final ScriptConfig config;
  private final String directory;
  private final int maxTopicBytes;
  private final Scope scope;
  private final DeadLetter deadLetter;
  private final Timer calls;
  private final Counter deadLetters;
  private final Counter limits;
  private final TopicStates states;
  private WorkerExecutor worker;
  private Script script;

  /**
   * A step that is to be started.
   *
   * @param directory where the script is looked for first
   * @param maxTopicBytes longest topic that the script may name
   */
  public ScriptEnricher(
      Vertx vertx, ScriptConfig config, String directory, int maxTopicBytes, EnrichMeters meters) {
    this.vertx = vertx;
    this.config = config;
    this.directory = directory;
    this.maxTopicBytes = maxTopicBytes;
    this.scope = new Scope(config.topics());
    this.deadLetter = new DeadLetter("script", config.file(), Reason.SCRIPT_FAILED);
    this.calls = meters.scriptCalls(config.file());
    this.deadLetters = meters.deadLetters("script", config.file());
    this.limits = meters.scriptLimits(config.file());
    Counter forgotten = meters.scriptStatesForgotten(config.file());
    this.states = new TopicStates(config.maxStateTopics(), forgotten::increment);
  }

  @Override
  public Future<Void> start() {
    String name = "galop-script-" + DeadLetter.baseName(config.file()) + '-' + UUID.randomUUID();
    worker = vertx.createSharedWorkerExecutor(name, 1, NEVER_WARN_HOURS, TimeUnit.HOURS);
    return worker
        .executeBlocking(() -> Script.open(config, directory, maxTopicBytes, states))
        .onSuccess(opened -> script = opened)
        .mapEmpty();
  }

  @Override
  public Future<List<Record>> enrich(List<Record> records) {
    for (Record record : records) {
      if (scope.covers(record.topic())) {
        return worker.executeBlocking(() -> run(records));
      }
    }
    return Future.succeededFuture(records);
  }

  private List<Record> run(List<Record> records) {
    List<Record> enriched = new ArrayList<>(records.size());
    for (Record record : records) {
      if (scope.covers(record.topic())) {
        enriched.addAll(run(record));
      } else {
        enriched.add(record);
      }
    }
    return enriched;
  }

  private List<Record> run(Record record) {
    long began = System.nanoTime();
    try {
      return script.call(record);
    } catch (ScriptFailure e) {
      deadLetters.increment();
      limits.increment(e.isByLimit() ? 1 : 0);
      return List.of(deadLetter.of(record, e.getMessage()));
    } finally {
      calls.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public Future<Void> close() {
    if (worker == null) {
      return Future.succeededFuture();
    }
    return worker.executeBlocking(this::closeScript).eventually(worker::close);
  }

  private Void closeScript() {
    if (script != null) {
      script.close();
    }
    return null;
  }
}
