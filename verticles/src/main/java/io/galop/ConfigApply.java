package io.galop;

import static java.util.stream.Collectors.joining;

import io.galop.bus.Refusal;
import io.galop.config.ConfigDiff;
import io.galop.config.ConfigReading;
import io.galop.config.ConfigSource;
import io.galop.config.GalopConfig;
import io.galop.node.LiveConfig;
import io.galop.yaml.ConfigException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings another configuration to a running node: reads and checks it, takes what needs no restart,
 * and names the rest. One at a time; from any thread.
 */
final class ConfigApply {
  /** The report that the management port asks. */
  static final String REPORT = "config/apply";

  private static final Logger LOG = LoggerFactory.getLogger(ConfigApply.class);
  private static final String RESTART = "takes a restart";
  private static final int MOST_NAMED = 3;

  private final Vertx vertx;
  private final LiveConfig settings;
  private final ConfigSource source;
  private final AtomicBoolean isBusy = new AtomicBoolean();

  ConfigApply(Vertx vertx, LiveConfig settings, ConfigSource source) {
    this.vertx = vertx;
    this.settings = settings;
    this.source = source;
  }

  /**
   * A plan: what differs, and what the node would be if it took what it can.
   *
   * @param next is checked as a whole
   * @param torn what an earlier change left half-taken, and this one takes again
   */
  private record Plan(
      List<ConfigDiff> taken, List<ConfigDiff> refused, GalopConfig next, List<String> torn) {
    JsonObject json(boolean isDone) {
      return new JsonObject()
          .put("done", isDone)
          .put("applied", array(taken, ""))
          .put("again", new JsonArray(torn))
          .put("refused", array(refused, RESTART));
    }

    private static JsonArray array(List<ConfigDiff> differences, String why) {
      JsonArray all = new JsonArray();
      for (ConfigDiff each : differences) {
        JsonObject one =
            new JsonObject().put("path", each.path()).put("from", each.from()).put("to", each.to());
        all.add(why.isEmpty() ? one : one.put("why", why));
      }
      return all;
    }
  }

  /**
   * Takes the text of a file in the place of the node's own.
   *
   * @param given {@code yaml}, {@code name} of the file, {@code dryRun}: only say what would be
   * @return {@code {"done":…, "applied":[{"path","from","to"}], "again":[path…], "refused":[…with
   *     "why"]}}; fails with a {@link Refusal} if the configuration is wrong
   */
  Future<JsonObject> apply(Map<String, String> given) {
    String name = given.getOrDefault("name", "the file");
    return alone(
        () -> source.read(given.getOrDefault("yaml", ""), name), given.containsKey("dryRun"));
  }

  /** Reads the node's own file again, and says in the log what came of it. */
  void reload() {
    LOG.info("reading the configuration again");
    alone(source::read, false)
        .onSuccess(done -> LOG.info("configuration: {}", done.encode()))
        .onFailure(
            failure -> LOG.warn("the configuration stays as it is: {}", failure.getMessage()));
  }

  private Future<JsonObject> alone(Supplier<ConfigReading> reading, boolean isDryRun) {
    if (!isBusy.compareAndSet(false, true)) {
      return refused(Refusal.Why.BUSY, "another configuration is being applied; try again");
    }
    return vertx
        .executeBlocking(() -> plan(reading), false)
        .compose(plan -> isDryRun ? Future.succeededFuture(plan.json(false)) : take(plan))
        .recover(ConfigApply::asRefusal)
        .onComplete(done -> isBusy.set(false));
  }

  /** Reads files, and loads scripts: blocks. */
  private Plan plan(Supplier<ConfigReading> reading) {
    ConfigReading read = reading.get();
    GalopConfig wanted = read.config();
    List<ConfigDiff> taken = new ArrayList<>();
    List<ConfigDiff> refused = new ArrayList<>();
    List<ConfigDiff> differences = ConfigDiff.between(settings.current(), wanted);
    if (read.isEmpty() && !differences.isEmpty()) {
      throw new ConfigException(List.of(emptied(read.name(), differences)));
    }
    for (ConfigDiff each : differences) {
      (settings.takes(each.path()) ? taken : refused).add(each);
    }
    GalopConfig next = ConfigDiff.merged(settings.current(), wanted, settings::takes);
    List<String> problems = FileChecks.problems(next);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new Plan(taken, refused, next, settings.torn());
  }

  /** An editor or a full disk empties a file; nobody means to open doors by that. */
  private static String emptied(String name, List<ConfigDiff> differences) {
    String named =
        differences.stream().limit(MOST_NAMED).map(ConfigDiff::path).collect(joining(", "));
    return "%s: is empty, and would set to defaults: %s%s; restore it, or write {} into it if you want the defaults"
        .formatted(name, named, differences.size() > MOST_NAMED ? ", …" : "");
  }

  private Future<JsonObject> take(Plan plan) {
    return settings
        .change(plan.next(), plan.taken().stream().map(ConfigDiff::path).toList())
        .map(taken -> plan.json(true));
  }

  private static Future<JsonObject> asRefusal(Throwable failure) {
    return failure instanceof ConfigException || failure instanceof IllegalArgumentException
        ? refused(Refusal.Why.BAD_REQUEST, String.valueOf(failure.getMessage()))
        : Future.failedFuture(failure);
  }

  private static Future<JsonObject> refused(Refusal.Why why, String message) {
    return Future.failedFuture(new Refusal(why, message));
  }
}
