package io.galop.enrich.script.rhino;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.StateMap;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptableObject;

/**
 * A script in JavaScript that Rhino compiles to a class of the JVM. Its objects are Rhino's own, so
 * that its code reads and writes them without a way through the host.
 */
public final class RhinoScript implements LoadedScript {
  /** Behind comments, as any directive. */
  private static final Pattern WANTED =
      Pattern.compile(
          "\\A(?:\\s|//[^\\n]*\\n|/\\*(?s:.*?)\\*/)*+(['\"])use rhino\\1[ \\t]*(?:;|\\R|//|/\\*|\\z)");

  /** As GraalJS says it. */
  private static final Pattern UNKNOWN = Pattern.compile("\"(.*)\" is not defined\\.$");

  private final ScriptConfig config;
  private final ScriptWatchdog watchdog;
  private final RhinoSandbox sandbox;

  @SuppressWarnings("NullAway.Init") // load sets them, or throws
  private ScriptableObject scope;

  @SuppressWarnings("NullAway.Init")
  private RhinoViews views;

  @SuppressWarnings("NullAway.Init")
  private RhinoValues values;

  @SuppressWarnings("NullAway.Init")
  private Function enrich;

  /** Until it has executed too many statements: what it left half done is not gone on with. */
  private boolean usable = true;

  private RhinoScript(ScriptConfig config, ScriptWatchdog watchdog) {
    this.config = config;
    this.watchdog = watchdog;
    this.sandbox = new RhinoSandbox(config);
  }

  /** Whether a text in JavaScript begins with the directive that asks for this engine. */
  public static boolean isWantedBy(String text) {
    return WANTED.matcher(text).find();
  }

  /**
   * Compiles a script and runs what stands outside of functions.
   *
   * @throws ScriptFailure naming line and what to do
   */
  public static LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    RhinoScript script = new RhinoScript(config, watchdog);
    script.limited(
        watchdog::beginLoad,
        cx -> {
          script.run(cx, file);
          return null;
        });
    return script;
  }

  private void run(Context cx, SourceFile file) throws ScriptFailure {
    scope = sandbox.scope();
    views = new RhinoViews(scope);
    values = new RhinoValues(scope, config.maxOutputs(), config.maxOutputBytes());
    cx.evaluateString(scope, "'use strict';" + file.text(), file.name(), 1, null);
    if (!(scope.get("enrich", scope) instanceof Function function)) {
      throw new ScriptFailure(
          file.name() + " has no function enrich; it must define function enrich(record)");
    }
    enrich = function;
  }

  @Override
  public JsonNodes nodes() {
    return views;
  }

  @Override
  public void init(Map<String, @Nullable Object> settings) throws ScriptFailure {
    if (scope.get("init", scope) instanceof Function init) {
      limited(watchdog::beginLoad, cx -> init.call(cx, scope, scope, new Object[] {settings}));
    }
  }

  @Override
  public @Nullable Object enrich(ScriptRecord record, StateMap state) throws ScriptFailure {
    return limited(
        watchdog::begin,
        cx -> {
          try {
            @Nullable Object[] args = {views.record(record), views.state(state)};
            return values.records(enrich.call(cx, scope, scope, args));
          } finally {
            state.settleCall(values::stateValue);
          }
        });
  }

  private interface Call {
    @Nullable Object run(Context cx) throws ScriptFailure;
  }

  private @Nullable Object limited(Consumer<ScriptWatchdog.Stoppable> begin, Call call)
      throws ScriptFailure {
    sandbox.begin();
    begin.accept(sandbox::stop);
    try (Context cx = sandbox.entered()) {
      return call.run(cx);
    } catch (RhinoSandbox.Ended e) {
      usable = !e.isByStatements();
      throw ended(e);
    } catch (RhinoException e) {
      throw new ScriptFailure(text(e));
    } catch (StackOverflowError e) {
      throw new ScriptFailure("RangeError: Maximum call stack size exceeded");
    } catch (OutOfMemoryError e) {
      throw new ScriptFailure("it needs more memory than there is", true);
    } catch (RuntimeException e) {
      throw new ScriptFailure(ErrorText.of(e));
    } finally {
      watchdog.end();
    }
  }

  private ScriptFailure ended(RhinoSandbox.Ended ended) {
    return new ScriptFailure(
        ended.isByStatements()
            ? "it executed more than maxStatements, " + config.maxStatements()
            : "it ran longer than timeLimitMs, " + config.timeLimitMs(),
        true);
  }

  private String text(RhinoException e) {
    String first = String.valueOf(e.details()).lines().findFirst().orElse("");
    String said = UNKNOWN.matcher(first).replaceFirst("$1 is not defined");
    boolean isHere = config.file().equals(e.sourceName()) && e.lineNumber() > 0;
    return isHere ? said + " (" + config.file() + ", line " + e.lineNumber() + ")" : said;
  }

  @Override
  public boolean isUsable() {
    return usable;
  }

  /** Nothing is held outside of the heap. */
  @Override
  public void close() {}
}
