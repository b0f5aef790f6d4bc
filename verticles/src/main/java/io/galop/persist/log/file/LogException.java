package io.galop.persist.log.file;

import io.galop.config.FileFault;
import java.io.IOException;

/** The Log cannot be opened or read; the message says why and what to do. */
public final class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogException(String message) {
    super(message);
  }

  public LogException(String message, Throwable cause) {
    super(
        message + ": " + (cause instanceof IOException io ? FileFault.of(io) : cause.getMessage()),
        cause);
  }
}
