package io.galop.enrich.script;

import io.galop.config.ScriptConfig;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.io.IOAccess;

/** Scripts in JavaScript, by GraalJS. */
public final class JavaScript implements ScriptLanguage {
  private static final String ID = "js";

  @Override
  public String name() {
    return "JavaScript";
  }

  @Override
  public String suffix() {
    return ".js";
  }

  @Override
  public LoadedScript load(ScriptFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    return new GraalScript(context(config), config, watchdog, JsViews::new, true).load(ID, file);
  }

  private static Context context(ScriptConfig config) {
    ScriptConsole console = new ScriptConsole(config.file());
    return Context.newBuilder(ID)
        .engine(GraalEngines.of(ID))
        .allowHostAccess(HostAccess.NONE)
        .allowPolyglotAccess(PolyglotAccess.NONE)
        .allowIO(IOAccess.NONE)
        .allowExperimentalOptions(true)
        .option("js.strict", "true")
        .option("js.load", "false")
        .option("js.graal-builtin", "false")
        .resourceLimits(GraalScript.limits(config))
        .out(console)
        .err(console)
        .build();
  }
}
