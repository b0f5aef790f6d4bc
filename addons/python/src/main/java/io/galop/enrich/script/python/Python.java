package io.galop.enrich.script.python;

import io.galop.config.ScriptConfig;
import io.galop.enrich.script.GraalEngines;
import io.galop.enrich.script.GraalScript;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptConsole;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptFile;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.io.IOAccess;

/** Scripts in Python, by GraalPy. */
public final class Python implements ScriptLanguage {
  private static final String ID = "python";

  @Override
  public String name() {
    return "Python";
  }

  @Override
  public String suffix() {
    return ".py";
  }

  @Override
  public LoadedScript load(ScriptFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    return new GraalScript(context(config), config, watchdog, PythonViews::new, false)
        .load(ID, file);
  }

  /** Python reads its own library while it starts; that is no access to files for the script. */
  private static Context context(ScriptConfig config) {
    ScriptConsole console = new ScriptConsole(config.file());
    return Context.newBuilder(ID)
        .engine(GraalEngines.of(ID))
        .allowHostAccess(HostAccess.NONE)
        .allowPolyglotAccess(PolyglotAccess.NONE)
        .allowIO(IOAccess.NONE)
        .allowExperimentalOptions(true)
        .option("python.PosixModuleBackend", "java")
        .option("python.ForceImportSite", "false")
        .option("python.DontWriteBytecodeFlag", "true")
        .resourceLimits(GraalScript.limits(config))
        .out(console)
        .err(console)
        .build();
  }
}
