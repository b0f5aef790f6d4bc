package io.galop.enrich.script.mapping;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.guest.SourceFile;

/** Mappings, by CEL. */
public final class MappingLanguage implements ScriptLanguage {
  @Override
  public String name() {
    return "Mapping";
  }

  @Override
  public String suffix() {
    return ".map";
  }

  @Override
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    return new MappingScript(MappingFile.compile(file), config, watchdog);
  }
}
