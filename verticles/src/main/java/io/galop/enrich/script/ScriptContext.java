package io.galop.enrich.script;

import io.galop.config.ScriptConfig;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;

/**
 * A script, loaded: its own global state, and nothing of the host to reach. One thread at a time.
 */
final class ScriptContext implements AutoCloseable {
  private final ScriptConfig config;
  private final ScriptOutputs outputs;
  private final ScriptWatchdog watchdog;
  private final Context context;
  private Value enrich;
  private boolean usable = true;

  private ScriptContext(ScriptConfig config, int maxTopicBytes, ScriptWatchdog watchdog) {
    this.config = config;
    this.outputs = new ScriptOutputs(config.maxOutputBytes(), maxTopicBytes);
    this.watchdog = watchdog;
    this.context = context(config);
  }

  /**
   * Loads a script and runs its init.
   *
   * @throws ScriptFailure naming line and what to do
   */
  static ScriptContext open(
      ScriptFile file, ScriptConfig config, int maxTopicBytes, ScriptWatchdog watchdog)
      throws ScriptFailure {
    ScriptContext opened = new ScriptContext(config, maxTopicBytes, watchdog);
    try {
      opened.load(file);
      return opened;
    } catch (ScriptFailure e) {
      opened.close();
      throw e;
    }
  }

  private static Context context(ScriptConfig config) {
    ScriptConsole console = new ScriptConsole(config.file());
    return Context.newBuilder("js")
        .engine(ScriptRuntime.engine())
        .allowHostAccess(HostAccess.NONE)
        .allowPolyglotAccess(PolyglotAccess.NONE)
        .allowIO(IOAccess.NONE)
        .allowExperimentalOptions(true)
        .option("js.strict", "true")
        .option("js.load", "false")
        .option("js.graal-builtin", "false")
        .resourceLimits(
            ResourceLimits.newBuilder().statementLimit(config.maxStatements(), null).build())
        .out(console)
        .err(console)
        .build();
  }

  private void load(ScriptFile file) throws ScriptFailure {
    Value wrap = context.eval(Bootstrap.SOURCE);
    Source source = Source.newBuilder("js", file.text(), file.name()).buildLiteral();
    limited(() -> context.eval(source));
    Value function = context.getBindings("js").getMember("enrich");
    if (function == null || !function.canExecute()) {
      throw new ScriptFailure(
          file.name() + " has no function enrich; it must define function enrich(record)");
    }
    Value init = context.getBindings("js").getMember("init");
    if (init != null && init.canExecute()) {
      String settings = ScriptSettings.json(config.settings());
      Value parsed = context.eval("js", "JSON.parse").execute(settings);
      limited(() -> init.execute(parsed));
    }
    enrich = wrap.execute(function, config.maxOutputs());
  }

  /**
   * Runs the script on a record.
   *
   * @throws ScriptFailure if no records came of it; {@link #isUsable} says whether the next can
   */
  List<Record> call(Record record) throws ScriptFailure {
    String data = new String(record.data(), StandardCharsets.UTF_8);
    Value flat = limited(() -> enrich.execute(record.id(), record.topic(), record.timeUs(), data));
    return flat.isNull() ? List.of() : outputs.read(record, flat);
  }

  private Value limited(Supplier<Value> call) throws ScriptFailure {
    context.resetLimits();
    watchdog.begin(context);
    try {
      return call.get();
    } catch (PolyglotException e) {
      usable = !e.isCancelled() && !e.isResourceExhausted();
      throw ScriptErrors.failure(e, config);
    } finally {
      watchdog.end();
    }
  }

  /** Whether the script can be called again; a limit on statements closes its context. */
  boolean isUsable() {
    return usable;
  }

  @Override
  public void close() {
    context.close(true);
  }
}
