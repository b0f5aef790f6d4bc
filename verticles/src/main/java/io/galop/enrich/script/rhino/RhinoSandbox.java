package io.galop.enrich.script.rhino;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.ScriptLines;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.NativeConsole;
import org.mozilla.javascript.ScriptableObject;

/**
 * Where one script runs: no class of the host can be reached from there, and its code looks now and
 * then whether it has to end.
 */
final class RhinoSandbox extends ContextFactory {
  /** What Rhino counts for a statement, roughly: bytes of the JVM's code. */
  private static final int UNITS_A_STATEMENT = 10;

  /** So often it is looked whether a call has to end: a fraction of a millisecond apart. */
  private static final int LOOK_UNITS = 10_000;

  /**
   * What takes memory by the gigabyte in one step, or without an end, and no record needs: nobody
   * runs what promises wait for.
   */
  private static final List<String> LEFT_OUT =
      List.of(
          "ArrayBuffer",
          "DataView",
          "Int8Array",
          "Uint8Array",
          "Uint8ClampedArray",
          "Int16Array",
          "Uint16Array",
          "Int32Array",
          "Uint32Array",
          "Float32Array",
          "Float64Array",
          "BigInt64Array",
          "BigUint64Array",
          "Promise",
          "With",
          "Call",
          "Script");

  private final ScriptConfig config;
  private final Context context;
  private final long maxUnits;
  private long units;
  private volatile boolean stopped;

  /** Ends a call; an Error, as scripts cannot catch those. */
  static final class Ended extends Error {
    private static final long serialVersionUID = 1L;

    private final boolean byStatements;

    Ended(boolean byStatements) {
      super("ended", null, false, false);
      this.byStatements = byStatements;
    }

    boolean isByStatements() {
      return byStatements;
    }
  }

  RhinoSandbox(ScriptConfig config) {
    this.config = config;
    this.maxUnits = UNITS_A_STATEMENT * config.maxStatements();
    this.context = enterContext();
    Context.exit();
  }

  @Override
  protected void onContextCreated(Context created) {
    super.onContextCreated(created);
    created.setLanguageVersion(Context.VERSION_ECMASCRIPT);
    created.setGenerateObserverCount(true);
    created.setInstructionObserverThreshold(LOOK_UNITS);
    created.setClassShutter(name -> false);
  }

  /** The context, entered on this thread; the caller exits it. */
  Context entered() {
    return enterContext(context);
  }

  /** The global scope of a script; the context is entered. */
  ScriptableObject scope() {
    ScriptableObject scope = context.initSafeStandardObjects();
    LEFT_OUT.forEach(scope::delete);
    // Else a key of a record that says so leads to what all objects of the script share.
    ScriptableObject.getObjectPrototype(scope).delete("__proto__");
    BoundedLibrary.install(scope);
    OutputStream lines = ScriptLines.of(config);
    PrintStream out = new PrintStream(lines, true, StandardCharsets.UTF_8);
    NativeConsole.init(
        scope,
        false,
        (cx, on, level, args, stack) -> out.print(NativeConsole.format(cx, on, args) + "\n"));
    return scope;
  }

  /** A call begins. */
  void begin() {
    units = 0;
    stopped = false;
  }

  /** The call under way has to end; called on another thread. */
  void stop() {
    stopped = true;
  }

  /** Rhino goes on counting from where this throws, so a finally that loops on is left too. */
  @Override
  protected void observeInstructionCount(Context running, int count) {
    units += count;
    if (stopped || units > maxUnits) {
      throw new Ended(!stopped);
    }
  }
}
