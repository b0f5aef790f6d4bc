package io.galop.extend;

import io.galop.jvm.ErrorText;

/** Says in one sentence what went wrong, and where in the verticle's own source. */
public final class Failures {
  private static final int LONGEST = 500;

  private Failures() {}

  /** What a failure says, where it has no place in the verticle's source. */
  public static String inWords(Throwable failure) {
    return failure instanceof NotPublished || failure instanceof ProgramException
        ? ErrorText.of(failure)
        : named(failure);
  }

  /**
   * What a failure says.
   *
   * @param type the class of the verticle; those within it have names that begin alike
   * @param file the source as its author calls it; empty where the class knows it
   */
  public static String inWords(Throwable failure, Class<?> type, String file) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      for (StackTraceElement frame : cause.getStackTrace()) {
        if (isOf(frame, type.getName()) && frame.getLineNumber() > 0) {
          String source = file.isEmpty() ? frame.getFileName() : file;
          return inWords(failure) + " (" + source + ", line " + frame.getLineNumber() + ")";
        }
      }
    }
    return inWords(failure);
  }

  private static boolean isOf(StackTraceElement frame, String type) {
    String name = frame.getClassName();
    return name.equals(type) || name.startsWith(type + "$") || name.startsWith(type + "_");
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
