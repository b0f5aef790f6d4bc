package io.galop.jvm;

/** What a failure says, for sentences to users and for the log. */
public final class ErrorText {
  private ErrorText() {}

  /** Its message, or the name of its class where it has none. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  /** What its cause says, or it itself where it has none. */
  public static String ofCause(Throwable failure) {
    Throwable cause = failure.getCause();
    return of(cause == null ? failure : cause);
  }
}
