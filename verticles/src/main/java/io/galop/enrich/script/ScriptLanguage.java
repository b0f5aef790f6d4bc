package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.SourceFile;

/**
 * A language that scripts can be written in. The file's suffix chooses it; languages are found by
 * {@link java.util.ServiceLoader}, so that an add-on brings one by being on the class path.
 */
public interface ScriptLanguage {
  /** As users call it: JavaScript. */
  String name();

  /** How its files end: {@code .js}. */
  String suffix();

  /**
   * Loads a script: runs what stands outside of its functions and looks for {@code enrich}, but
   * does not run {@code init}. Called once for each event loop; what is expensive is shared.
   *
   * @param watchdog is told when code of the script begins and ends to run
   * @throws ScriptFailure naming line and what to do
   */
  LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure;
}
