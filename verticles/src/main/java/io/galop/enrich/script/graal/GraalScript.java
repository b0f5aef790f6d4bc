package io.galop.enrich.script.graal;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptErrors;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.StateMap;
import io.galop.guest.GraalLanguage;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** A script in a language of GraalVM: its own context, and nothing of the host to reach. */
public final class GraalScript implements LoadedScript {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ScriptConfig config;
  private final ScriptWatchdog watchdog;
  private final Context context;
  private final GraalValues values;
  private final GraalViews views;
  private Optional<Value> init = Optional.empty();

  @SuppressWarnings("NullAway.Init") // load sets it, or throws
  private Value enrich;

  /** Until a limit has closed the context. */
  private boolean usable = true;

  /**
   * A script that is to be loaded.
   *
   * @param context for this script alone
   * @param maps how maps look to the script
   * @param hasFields whether the language's objects that are no maps are read as such
   */
  public GraalScript(
      Context context,
      ScriptConfig config,
      ScriptWatchdog watchdog,
      GraalMaps maps,
      boolean hasFields) {
    this.context = context;
    this.config = config;
    this.watchdog = watchdog;
    this.values = new GraalValues(hasFields, config.maxOutputs(), config.maxOutputBytes());
    this.views = new GraalViews(values, maps);
  }

  /**
   * Runs what stands outside of functions; closes the context if that fails.
   *
   * @param language as GraalVM calls it
   * @throws ScriptFailure naming line and what to do
   */
  public GraalScript load(String language, SourceFile file) throws ScriptFailure {
    try {
      Source source = GraalLanguage.source(language, file);
      // Takes seconds on a busy machine, and is not the script's doing.
      context.initialize(language);
      limited(watchdog::beginLoad, () -> context.eval(source));
      enrich =
          function(language, "enrich")
              .orElseThrow(
                  () ->
                      new ScriptFailure(
                          file.name()
                              + " has no function enrich; it must define function enrich(record)"));
      init = function(language, "init");
    } catch (Throwable e) {
      close();
      throw e;
    }
    return this;
  }

  private Optional<Value> function(String language, String name) {
    Value member = context.getBindings(language).getMember(name);
    return Optional.ofNullable(member).filter(Value::canExecute);
  }

  @Override
  public JsonNodes nodes() {
    return views;
  }

  @Override
  public void init(Map<String, @Nullable Object> settings) throws ScriptFailure {
    if (init.isPresent()) {
      limited(watchdog::beginLoad, () -> init.get().execute(settings));
    }
  }

  @Override
  public @Nullable Object enrich(ScriptRecord record, StateMap state) throws ScriptFailure {
    values.begin();
    return limited(
        watchdog::begin,
        () -> {
          // Entered once: each reading of a value would do it again, at several times its own cost.
          context.enter();
          try {
            Value returned = enrich.execute(views.record(record), views.state(state));
            return returned.isNull() ? null : values.records(returned);
          } finally {
            try {
              state.settleCall(this::plain);
            } finally {
              context.leave();
            }
          }
        });
  }

  private @Nullable Object plain(@Nullable Object stored) throws ScriptFailure {
    try {
      return values.stateValue(stored);
    } catch (PolyglotException e) {
      usable = usable && !e.isCancelled() && !e.isResourceExhausted();
      throw ScriptErrors.failure(e, config);
    }
  }

  private <T extends @Nullable Object> T limited(
      Consumer<ScriptWatchdog.Stoppable> begin, Callable<T> call) throws ScriptFailure {
    context.resetLimits();
    begin.accept(this::stop);
    try {
      return call.call();
    } catch (PolyglotException e) {
      usable = !e.isCancelled() && !e.isResourceExhausted();
      throw ScriptErrors.failure(e, config);
    } catch (ScriptFailure e) {
      throw e;
    } catch (Exception e) {
      throw new ScriptFailure(ErrorText.of(e));
    } finally {
      watchdog.end();
    }
  }

  private void stop() {
    try {
      context.interrupt(PATIENCE);
    } catch (TimeoutException e) {
      context.close(true);
    }
  }

  @Override
  public boolean isUsable() {
    return usable;
  }

  @Override
  public void close() {
    context.close(true);
  }
}
