package io.galop.enrich.script.kotlin;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.JvmScript;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import io.galop.kotlin.KotlinClasses;
import io.galop.kotlin.KotlinCompilation;
import io.galop.kotlin.NotKotlin;
import java.util.List;
import java.util.Map;

/** Scripts in Kotlin: a file of functions and variables, compiled when it is loaded. */
public final class KotlinScripts implements ScriptLanguage {
  private static final String BEFORE = "import " + ScriptRecord.class.getName() + "; ";

  @Override
  public String name() {
    return "Kotlin";
  }

  @Override
  public String suffix() {
    return ".kts";
  }

  @Override
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    KotlinClasses loader = new KotlinClasses(compiled(file), KotlinScripts.class.getClassLoader());
    Class<?> main = loader.main();
    return new JvmScript(main, config, watchdog, () -> {}).start(() -> loader.initialise(main));
  }

  private static Map<String, byte[]> compiled(SourceFile file) throws ScriptFailure {
    try {
      return KotlinCompilation.of(file.name(), BEFORE, file.text(), List.of(ScriptRecord.class));
    } catch (NotKotlin e) {
      throw new ScriptFailure(ErrorText.of(e));
    }
  }
}
