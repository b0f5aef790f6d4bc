package io.galop.persist.archive;

import java.io.IOException;

/** A file did not arrive; says where it should have, and why it did not. */
public final class UploadException extends IOException {
  private static final long serialVersionUID = 1L;

  public UploadException(String message) {
    super(message);
  }

  public UploadException(String message, Throwable cause) {
    super(message, cause);
  }
}
