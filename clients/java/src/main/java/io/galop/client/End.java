package io.galop.client;

/**
 * Why a connection ended.
 *
 * @param reason a stable word, or empty
 * @param isFinal whether another try would be refused again
 * @param retryAfterMs what the node asks to wait, or 0
 */
record End(int code, String reason, String message, boolean isFinal, long retryAfterMs) {
  /** From here on coming back would be refused again; those above it are about tokens. */
  private static final int FINAL_CODE = 3500;

  private static final long FIRST_DELAY_MS = 300;
  private static final long MAX_DELAY_MS = 10_000;
  private static final int MOST_DOUBLINGS = 10;

  /** The other side is not there, or broke off. */
  static End lost(String message) {
    return new End(0, "", message, false, 0);
  }

  /**
   * As the node's last words say it.
   *
   * @param isRenewable whether another connection may have another token
   */
  static End told(Message farewell, boolean isRenewable) {
    int code = farewell.failureCode;
    boolean isFinal = code >= FINAL_CODE && !(code > FINAL_CODE && isRenewable);
    return new End(code, farewell.word, farewell.message, isFinal, farewell.retryAfterMs);
  }

  /** As an HTTP answer says it, which refuses a connection. */
  static End refused(int status, Message answer, long retryAfterMs, boolean isRenewable) {
    String message = answer.message.isEmpty() ? "the node answers " + status : answer.message;
    boolean isFinal = status == 403 || status == 401 && !isRenewable;
    return new End(status, answer.word, message, isFinal, retryAfterMs);
  }

  /**
   * When to come back.
   *
   * @param attempt how many connections have failed in a row before
   * @param random from 0 to 1: clients that lost one node do not come back together
   */
  long delayMs(int attempt, double random) {
    if (retryAfterMs > 0) {
      return retryAfterMs;
    }
    long backoffMs = FIRST_DELAY_MS << Math.min(attempt, MOST_DOUBLINGS);
    return (long) (Math.min(MAX_DELAY_MS, backoffMs) * (0.5 + random));
  }
}
