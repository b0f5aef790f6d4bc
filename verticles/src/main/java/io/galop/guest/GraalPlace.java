package io.galop.guest;

import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;

/** Where in a file a language of GraalVM failed. */
public final class GraalPlace {
  private GraalPlace() {}

  /** {@code (alarm.js, line 3)} behind a space: the innermost place in the file; else empty. */
  public static String where(PolyglotException failure, String file) {
    if (isIn(failure.getSourceLocation(), file)) {
      return at(failure.getSourceLocation(), file);
    }
    for (PolyglotException.StackFrame frame : failure.getPolyglotStackTrace()) {
      if (frame.isGuestFrame() && isIn(frame.getSourceLocation(), file)) {
        return at(frame.getSourceLocation(), file);
      }
    }
    return "";
  }

  private static boolean isIn(SourceSection section, String file) {
    return section != null && section.getSource().getName().equals(file);
  }

  private static String at(SourceSection section, String file) {
    return " (" + file + ", line " + section.getStartLine() + ")";
  }
}
