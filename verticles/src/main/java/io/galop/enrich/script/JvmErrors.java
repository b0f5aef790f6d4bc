package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;

/** Says in one sentence what went wrong in a script that is a class of the JVM, and where. */
final class JvmErrors {
  private JvmErrors() {}

  static ScriptFailure tooLong(ScriptConfig config) {
    return new ScriptFailure("it ran longer than timeLimitMs, " + config.timeLimitMs(), true);
  }

  static ScriptFailure failure(Throwable thrown, Class<?> compiled, ScriptConfig config) {
    if (thrown instanceof OutOfMemoryError) {
      return new ScriptFailure("it needs more memory than there is", true);
    }
    String message = String.valueOf(thrown.getMessage());
    String said = message.lines().findFirst().orElse("");
    String type = thrown.getClass().getSimpleName();
    return new ScriptFailure(type + ": " + said + where(thrown, compiled, config.file()));
  }

  /** Functions within functions are classes of their own, whose names begin alike. */
  private static String where(Throwable thrown, Class<?> compiled, String file) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (frame.getClassName().startsWith(compiled.getName()) && frame.getLineNumber() > 0) {
        return " (" + file + ", line " + frame.getLineNumber() + ")";
      }
    }
    return "";
  }
}
