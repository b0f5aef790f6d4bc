package io.galop.enrich.script.swap;

import io.galop.bus.Node;
import io.galop.config.ScriptConfig;
import io.galop.enrich.script.ScriptFile;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The script steps of a node, which its event loops share: each knows the version in use and the
 * one that may follow. A thread looks after all of them and never waits; each has another one for
 * what takes time, such as loading.
 */
public final class ScriptSteps implements AutoCloseable {
  /** The name of the report, and of what a new version is handed to. */
  public static final String REPORT = "scripts";

  public static final String DEPLOY = "scripts/deploy";
  private static final Logger LOG = LoggerFactory.getLogger(ScriptSteps.class);
  private static final long TICK_MS = 100;

  private final Map<ScriptConfig, ScriptStep> steps = new LinkedHashMap<>();
  private final Map<ScriptStep, Candidates> candidates = new LinkedHashMap<>();
  private final Map<ScriptStep, ScheduledExecutorService> threads = new LinkedHashMap<>();
  private final ScheduledExecutorService clock;

  /**
   * Reads the scripts of a node; blocks.
   *
   * @throws IllegalArgumentException if a script is not there
   */
  public ScriptSteps(Node node) {
    clock = thread("galop-scripts");
    for (var one : node.config().enrich().chain()) {
      if (one instanceof ScriptConfig config) {
        steps.computeIfAbsent(config, absent -> new ScriptStep(node, config));
      }
    }
    steps.values().forEach(this::watch);
    node.reports().offer(REPORT, parameters -> Future.succeededFuture(json()));
    node.reports().offer(DEPLOY, this::deploy);
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private void watch(ScriptStep step) {
    Candidates taken = new Candidates(step);
    ScheduledExecutorService own = thread("galop-script-swap-" + step.name());
    candidates.put(step, taken);
    threads.put(step, own);
    every(clock, TICK_MS, step::look);
    every(own, TICK_MS, taken::decide);
    if (step.config().watchMs() > 0) {
      every(own, step.config().watchMs(), taken::look);
    }
  }

  private static void every(ScheduledExecutorService thread, long periodMs, Runnable task) {
    thread.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.error("looking after a script failed, and is tried again", e);
          }
        },
        periodMs,
        periodMs,
        TimeUnit.MILLISECONDS);
  }

  /** The step with this configuration. */
  public ScriptStep step(ScriptConfig config) {
    return steps.get(config);
  }

  /** What every step does, and how far a new version is. */
  private JsonObject json() {
    JsonArray all = new JsonArray();
    candidates.values().forEach(one -> all.add(one.json()));
    return new JsonObject().put("scripts", all);
  }

  /**
   * Takes a new version of the steps with a file; answers before it is loaded, which may take long.
   */
  private Future<JsonObject> deploy(Map<String, String> given) {
    String file = given.getOrDefault("file", "");
    List<ScriptStep> named = steps.values().stream().filter(step -> isNamed(step, file)).toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no script '%s' in the chain of this node; there is %s"
              .formatted(file, steps.values().stream().map(one -> one.config().file()).toList()));
    }
    Optional<String> cases = Optional.ofNullable(given.get("cases"));
    List<Future<Void>> taken =
        named.stream().map(step -> deploy(step, given.getOrDefault("source", ""), cases)).toList();
    return Future.join(taken).map(all -> json());
  }

  private static boolean isNamed(ScriptStep step, String file) {
    return Path.of(step.config().file()).getFileName().toString().equals(file);
  }

  private Future<Void> deploy(ScriptStep step, String source, Optional<String> cases) {
    Promise<Void> done = Promise.promise();
    threads
        .get(step)
        .execute(
            () -> {
              try {
                ScriptFile given = new ScriptFile(step.name(), source);
                Candidates taken = candidates.get(step);
                Trial trial = taken.begin(step.version(given, cases), true);
                done.complete();
                taken.go(trial);
              } catch (RuntimeException e) {
                done.tryFail(e);
              }
            });
    return done.future();
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.values().forEach(ScheduledExecutorService::shutdownNow);
    candidates.values().forEach(one -> one.trial().ifPresent(Trial::endShadow));
  }
}
