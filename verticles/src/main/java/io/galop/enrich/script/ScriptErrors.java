package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.GraalPlace;
import org.graalvm.polyglot.PolyglotException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in one sentence what went wrong in a script, and where. */
public final class ScriptErrors {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptErrors.class);

  private ScriptErrors() {}

  public static ScriptFailure failure(PolyglotException e, ScriptConfig config) {
    String where = GraalPlace.where(e, config.file());
    if (e.isInterrupted() || e.isCancelled() && !e.isResourceExhausted()) {
      return new ScriptFailure(
          "it ran longer than timeLimitMs, " + config.timeLimitMs() + where, true);
    }
    if (e.isResourceExhausted()) {
      return new ScriptFailure(exhausted(e, config) + where, true);
    }
    if (e.isInternalError()) {
      LOG.error("the script engine failed on {}", config.file(), e);
      return new ScriptFailure("the script engine failed, the log says how" + where);
    }
    return new ScriptFailure(oneLine(String.valueOf(e.getMessage())) + where);
  }

  /** The engine tells its resources apart by the message only. */
  private static String exhausted(PolyglotException e, ScriptConfig config) {
    String message = String.valueOf(e.getMessage());
    return message.startsWith("Statement count limit")
        ? "it executed more than maxStatements, " + config.maxStatements()
        : oneLine(message);
  }

  private static String oneLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
