package io.galop.extend.python;

import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/**
 * Where in a file an exception of Python was raised: the engine does not tell, the exception does.
 */
final class Traceback {
  private Traceback() {}

  /** {@code (alarm.py, line 3)}; empty where it was raised elsewhere. */
  static String where(PolyglotException failure, String file) {
    try {
      Value raised = failure.getGuestObject();
      return raised == null || !raised.hasMember("__traceback__")
          ? ""
          : innermost(raised.getMember("__traceback__"), file);
    } catch (PolyglotException | IllegalStateException ended) {
      // Its context is closed, or the exception will not be asked; what it says is told all the
      // same.
      return "";
    }
  }

  private static String innermost(Value traceback, String file) {
    String where = "";
    for (Value at = traceback; !at.isNull(); at = at.getMember("tb_next")) {
      Value code = at.getMember("tb_frame").getMember("f_code");
      if (code.getMember("co_filename").asString().endsWith(file)) {
        where = " (" + file + ", line " + at.getMember("tb_lineno").asInt() + ")";
      }
    }
    return where;
  }
}
