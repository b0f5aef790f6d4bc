package io.galop.enrich.script.mapping;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.guest.SourceFile;
import java.util.LinkedHashMap;
import java.util.Map;

/** Mappings, by CEL. */
public final class MappingLanguage implements ScriptLanguage {
  private static final int MOST_FILES = 8;

  /** The newest that were compiled: each event loop loads the same file, and so do cases. */
  private final Map<SourceFile, MappingFile> compiled = new LinkedHashMap<>();

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
    return new MappingScript(compiled(file), config, watchdog);
  }

  private MappingFile compiled(SourceFile file) throws ScriptFailure {
    synchronized (compiled) {
      MappingFile known = compiled.get(file);
      if (known == null) {
        known = MappingFile.compile(file);
        compiled.put(file, known);
        if (compiled.size() > MOST_FILES) {
          compiled.remove(compiled.keySet().iterator().next());
        }
      }
      return known;
    }
  }
}
