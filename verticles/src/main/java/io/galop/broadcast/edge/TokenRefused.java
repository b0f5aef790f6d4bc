package io.galop.broadcast.edge;

/**
 * A token that is no good, with a stable word and what is wrong with it; never the token itself.
 */
public final class TokenRefused extends Exception {
  private static final long serialVersionUID = 1;

  /** No token was shown where one is asked for. */
  static final String MISSING = "token_missing";

  /** It is no token, not signed with the node's key, or for somebody or something else. */
  static final String INVALID = "token_invalid";

  /** It was good once. */
  static final String EXPIRED = "token_expired";

  /** It is good, but another's. */
  static final String OTHER_SUBJECT = "token_other_subject";

  /** This node asks for no tokens. */
  static final String NOT_ASKED = "token_not_asked";

  private final String reason;

  TokenRefused(String reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  static TokenRefused invalid(String message) {
    return new TokenRefused(INVALID, message);
  }

  /** The stable word. */
  public String reason() {
    return reason;
  }
}
