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

  /** Its subject was sent away after it was issued. */
  static final String REVOKED = "token_revoked";

  /** The key that it is signed with counts no longer. */
  static final String KEY_GONE = "token_key_gone";

  /** Keys are on their way that it may be signed with. */
  static final String KEYS_AWAITED = "keys_awaited";

  /** It is good, but shows another part of the records. */
  static final String OTHER_VIEW = "token_other_view";

  /** It is good, but another's. */
  static final String OTHER_SUBJECT = "token_other_subject";

  /** This node asks for no tokens. */
  static final String NOT_ASKED = "token_not_asked";

  private final String reason;
  private final String sentence;

  TokenRefused(String reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
    this.sentence = message;
  }

  static TokenRefused invalid(String message) {
    return new TokenRefused(INVALID, message);
  }

  /** What is wrong, in a sentence. */
  @Override
  public String getMessage() {
    return sentence;
  }

  /** Whether the same token may be good in a moment. */
  public boolean isForNow() {
    return reason.equals(KEYS_AWAITED);
  }

  /** The stable word. */
  public String reason() {
    return reason;
  }
}
