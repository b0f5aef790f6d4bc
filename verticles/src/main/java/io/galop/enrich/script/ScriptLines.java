package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.LogLines;
import java.io.OutputStream;
import org.slf4j.LoggerFactory;

/** Where a script's output goes that is kept from files: the node's log. */
public final class ScriptLines {
  private static final int MAX_LINE_BYTES = 400;
  private static final int MAX_LINES_A_SECOND = 20;

  private ScriptLines() {}

  /** The lines of one script. */
  public static OutputStream of(ScriptConfig config) {
    return new LogLines(
        LoggerFactory.getLogger(Script.class),
        config.file() + ": ",
        MAX_LINE_BYTES,
        MAX_LINES_A_SECOND);
  }
}
