package io.galop.enrich.script.groovy;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.JvmScript;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.groovy.GroovyClasses;
import io.galop.groovy.NotGroovy;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.util.Map;

/** Scripts in Groovy. Loops and methods look whether the time is over. */
public final class GroovyScripts implements ScriptLanguage {
  @Override
  public String name() {
    return "Groovy";
  }

  @Override
  public String suffix() {
    return ".groovy";
  }

  @Override
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    GroovyClasses classes = compile(file);
    return new JvmScript(classes.main(), config, watchdog, classes)
        .start(() -> classes.run(Map.of()));
  }

  private static GroovyClasses compile(SourceFile file) throws ScriptFailure {
    try {
      return GroovyClasses.of(file.name(), file.text());
    } catch (NotGroovy e) {
      throw new ScriptFailure(ErrorText.of(e));
    }
  }
}
