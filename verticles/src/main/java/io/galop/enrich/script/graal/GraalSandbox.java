package io.galop.enrich.script.graal;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.ScriptLines;
import io.galop.guest.GraalLanguage;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.io.IOAccess;

/** Where scripts in languages of GraalVM run: nothing of the host can be reached from there. */
public final class GraalSandbox {
  /** One for each language, so that a script is parsed once, and compiled once where it can be. */
  private static final Map<String, Engine> ENGINES = new ConcurrentHashMap<>();

  private GraalSandbox() {}

  /**
   * A context for one script, with the limits of the configuration; what it prints goes to the log.
   *
   * @param language as GraalVM calls it
   */
  public static Context.Builder context(String language, ScriptConfig config) {
    OutputStream lines = ScriptLines.of(config);
    return Context.newBuilder(language)
        .engine(ENGINES.computeIfAbsent(language, GraalLanguage::engine))
        .allowHostAccess(HostAccess.NONE)
        .allowPolyglotAccess(PolyglotAccess.NONE)
        .allowIO(IOAccess.NONE)
        .allowExperimentalOptions(true)
        .resourceLimits(
            ResourceLimits.newBuilder().statementLimit(config.maxStatements(), null).build())
        .out(lines)
        .err(lines);
  }
}
