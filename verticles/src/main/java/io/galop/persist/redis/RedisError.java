package io.galop.persist.redis;

/** The server answers with an error. */
final class RedisError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RedisError(String message) {
    super(message, null, false, false);
  }
}
