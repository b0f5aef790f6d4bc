package io.galop.enrich.script.swap;

import io.galop.bus.Refusal;
import io.galop.config.enrich.EnrichConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.SourceFile;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
  private final Map<ScriptStep, Watched> watched = new LinkedHashMap<>();
  private final ScheduledExecutorService clock;
  private final ScheduledExecutorService memoryClock;

  /**
   * What a step has of its own.
   *
   * @param thread for what takes time
   */
  private record Watched(Candidates candidates, ScheduledExecutorService thread) {}

  /**
   * Reads the scripts of a node; blocks.
   *
   * @throws IllegalArgumentException if a script is not there
   */
  public ScriptSteps(Node node) {
    clock = thread("galop-scripts");
    memoryClock = thread("galop-script-memory");
    ScriptMemory memory =
        new ScriptMemory(() -> steps.values().stream().flatMap(step -> step.lanes().stream()));
    Set<ScriptConfig> configs = scripts(node.config().enrich());
    long each = node.config().enrich().maxStateBytes() / node.config().node().allEventLoops();
    for (ScriptConfig config : configs) {
      steps.put(config, new ScriptStep(node, config, each / configs.size(), memory));
    }
    steps.values().forEach(this::watch);
    every(memoryClock, TICK_MS, memory::watch);
    node.reports().offer(REPORT, parameters -> Future.succeededFuture(json()));
    node.reports().offer(DEPLOY, this::deploy);
  }

  private static Set<ScriptConfig> scripts(EnrichConfig config) {
    return config.chain().stream()
        .filter(ScriptConfig.class::isInstance)
        .map(ScriptConfig.class::cast)
        .collect(Collectors.toCollection(LinkedHashSet::new));
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
    ScheduledExecutorService own = thread("galop-script-swap-" + step.context().name());
    watched.put(step, new Watched(taken, own));
    every(clock, TICK_MS, step::look);
    every(own, TICK_MS, taken::decide);
    if (step.context().config().watchMs() > 0) {
      every(own, step.context().config().watchMs(), taken::look);
    }
  }

  private static void every(ScheduledExecutorService thread, long periodMs, Runnable task) {
    thread.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (RuntimeException | Error e) { // or it would not be done again
            LOG.error("checking a script failed; trying again", e);
          }
        },
        periodMs,
        periodMs,
        TimeUnit.MILLISECONDS);
  }

  /** The step with this configuration. */
  public ScriptStep step(ScriptConfig config) {
    return Objects.requireNonNull(steps.get(config), "each script of the chain has its step");
  }

  /** What every step does, and how far a new version is. */
  private JsonObject json() {
    JsonArray all = new JsonArray();
    watched.values().forEach(one -> all.add(one.candidates().json()));
    return new JsonObject().put("scripts", all);
  }

  /**
   * Takes a new version of the steps with a file; answers before it is loaded, which may take long.
   */
  private Future<JsonObject> deploy(Map<String, String> given) {
    String file = given.getOrDefault("file", "");
    List<ScriptStep> named = named(file);
    Optional<String> cases = Optional.ofNullable(given.get("cases"));
    Optional<ScriptStep> busy = reserve(named);
    if (busy.isPresent()) {
      busy.get().context().meters().deploysRefused.increment();
      return Future.failedFuture(
          new Refusal(
              Refusal.Why.BUSY, "a version of " + file + " waits to be tried: try again later"));
    }
    List<Future<Void>> taken =
        named.stream().map(step -> deploy(step, given.getOrDefault("source", ""), cases)).toList();
    return Future.join(taken).map(all -> json());
  }

  private Watched watched(ScriptStep step) {
    return Objects.requireNonNull(watched.get(step), "each step is watched from the start");
  }

  /** One version waits at most for what the step does, as loading another one may take minutes. */
  private Optional<ScriptStep> reserve(List<ScriptStep> named) {
    List<ScriptStep> reserved = new ArrayList<>();
    for (ScriptStep step : named) {
      if (!watched(step).candidates().reserve()) {
        reserved.forEach(one -> watched(one).candidates().release());
        return Optional.of(step);
      }
      reserved.add(step);
    }
    return Optional.empty();
  }

  /** Those whose file is called exactly so, or else has that name in some directory. */
  private List<ScriptStep> named(String file) {
    List<ScriptStep> exactly = steps(file::equals);
    List<ScriptStep> named = exactly.isEmpty() ? steps(one -> isNamed(one, file)) : exactly;
    List<String> files = files(named);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no script '%s' in the chain of this node; there is %s"
              .formatted(file, files(steps.values())));
    }
    if (files.size() > 1) {
      throw new IllegalArgumentException(
          "several scripts are called '%s': give one of %s as file, or to deploy with --as"
              .formatted(file, files));
    }
    return named;
  }

  private List<ScriptStep> steps(Predicate<String> file) {
    return steps.values().stream()
        .filter(step -> file.test(step.context().config().file()))
        .toList();
  }

  private static List<String> files(Collection<ScriptStep> steps) {
    return steps.stream().map(step -> step.context().config().file()).distinct().toList();
  }

  private static boolean isNamed(String file, String name) {
    return Path.of(file).getFileName().toString().equals(name);
  }

  private Future<Void> deploy(ScriptStep step, String source, Optional<String> cases) {
    Promise<Void> done = Promise.promise();
    Candidates taken = watched(step).candidates();
    watched(step)
        .thread()
        .execute(
            () -> {
              taken.release();
              try {
                SourceFile given = new SourceFile(step.context().name(), source);
                Trial trial = taken.begin(step.context().version(given, cases), true);
                done.complete();
                taken.go(trial);
              } catch (RuntimeException | Error e) {
                LOG.error("a version of script {} could not be tried", step.context().name(), e);
                done.tryFail(e);
              }
            });
    return done.future();
  }

  @Override
  public void close() {
    clock.shutdownNow();
    memoryClock.shutdownNow();
    watched.values().forEach(one -> one.thread().shutdownNow());
    watched.values().forEach(one -> one.candidates().trial().ifPresent(Trial::endShadow));
  }
}
