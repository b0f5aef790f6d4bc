package io.galop.cli;

/** Ends a command: what went wrong in words for the user, and the exit code. */
public final class CliFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The command could not do its work. */
  public static final int FAILED = 1;

  /** The command line or the configuration is wrong. */
  public static final int USAGE = 2;

  private final int exitCode;

  private CliFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The work could not be done. */
  public static CliFailure failed(String message) {
    return new CliFailure(FAILED, message);
  }

  /** The user has to write something else. */
  public static CliFailure usage(String message) {
    return new CliFailure(USAGE, message);
  }

  /** What the process ends with. */
  public int exitCode() {
    return exitCode;
  }
}
