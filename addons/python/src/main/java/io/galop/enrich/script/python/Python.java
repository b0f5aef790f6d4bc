package io.galop.enrich.script.python;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.graal.GraalSandbox;
import io.galop.enrich.script.graal.GraalScript;
import io.galop.guest.SourceFile;
import io.galop.python.PythonOptions;
import org.graalvm.polyglot.Context;

/**
 * Scripts in Python, by GraalPy. It reads its own library while it starts, which is no access to
 * files for the script.
 */
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
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    Context context = PythonOptions.of(GraalSandbox.context(ID, config));
    return new GraalScript(context, config, watchdog, new PythonMaps(), false).load(ID, file);
  }
}
