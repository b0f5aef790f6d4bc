package io.galop.enrich.script.graal;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.rhino.RhinoScript;
import io.galop.guest.SourceFile;
import org.graalvm.polyglot.Context;

/** Scripts in JavaScript: by GraalJS, or by Rhino if the file asks for it. */
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
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    if (RhinoScript.isWantedBy(file.text())) {
      return RhinoScript.load(file, config, watchdog);
    }
    Context context =
        GraalSandbox.context(ID, config)
            .option("js.strict", "true")
            .option("js.load", "false")
            .option("js.graal-builtin", "false")
            .build();
    // Else a key of a record that says so leads to what all objects of the script share.
    context.eval(ID, "delete Object.prototype.__proto__");
    return new GraalScript(context, config, watchdog, new JsMaps(), true).load(ID, file);
  }
}
