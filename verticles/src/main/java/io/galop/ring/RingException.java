package io.galop.ring;

import java.io.IOException;

/** Why a ring cannot be used: a sentence that names the file and says what to do. */
public final class RingException extends IOException {
  private static final long serialVersionUID = 1L;

  RingException(String message) {
    super(message);
  }
}
