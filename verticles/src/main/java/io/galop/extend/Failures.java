package io.galop.extend;

import java.util.function.Predicate;

/** Says in one sentence what went wrong, and where in the verticle's own source. */
public final class Failures {
  private static final int LONGEST = 500;

  private Failures() {}

  /**
   * What a failure says.
   *
   * @param isOwn which frames of a stack are the verticle's
   */
  public static String inWords(Throwable failure, Predicate<StackTraceElement> isOwn) {
    String what =
        failure instanceof NotPublished || failure instanceof ProgramException
            ? failure.getMessage()
            : named(failure);
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      for (StackTraceElement frame : cause.getStackTrace()) {
        if (isOwn.test(frame) && frame.getLineNumber() > 0) {
          return what + " (" + frame.getFileName() + ", line " + frame.getLineNumber() + ")";
        }
      }
    }
    return what;
  }

  private static String named(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null ? name : name + ": " + firstLine(message);
  }

  /** The first line of a message, of bounded length. */
  public static String firstLine(String message) {
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
