package io.galop.broadcast.hub;

import io.galop.broadcast.sockjs.Ending;
import io.galop.broadcast.sockjs.Frame;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Why Galop ends a connection. The codes are part of the outside contract: they only grow. Below
 * 3500 the client should come back, with its Positions; from 3500 on it would be refused again.
 */
public enum Disconnect implements Ending {
  /** The node is shutting down: come back, another node may answer. */
  SHUTDOWN(3001, "shutdown", "the node is shutting down; come back"),
  /** The connection was so slow that what it has to read next is gone. */
  SLOW(3008, "slow", "the connection is too slow for its registrations; reconnect to resume"),
  /** Too many registrations wait for their snapshot or resume. */
  BUSY(3009, "busy", "the node has too many registrations to answer; come back later"),
  /** The node has as many connections as it allows. */
  FULL(3010, "full", "the node has as many connections as it allows; come back later"),
  /** Something could not be written, or not be worked out, and nobody knows what of it left. */
  FAULT(3011, "fault", "the node could not send you something; come back to resume"),
  /** An operator has ended this connection, and not its viewer's tokens. */
  SENT_AWAY(3012, "sent_away", "an operator has ended this connection; come back to resume"),
  /** The browser sent a message larger than allowed. */
  MESSAGE_TOO_LARGE(3500, "message_too_large", "a message was larger than this node allows"),
  /** The browser's token has expired: with the same one it would be refused again. */
  TOKEN_EXPIRED(3501, "token_expired", "the token has expired; come back with a new one"),
  /** The browser's subject was sent away: its tokens from before then would be refused. */
  TOKEN_REVOKED(3502, "token_revoked", "the token was revoked; come back with one issued later"),
  /** The key that the browser's token is signed with counts no longer. */
  TOKEN_KEY_GONE(
      3503, "token_key_gone", "the token's key is no longer used; come back with a new one");

  /** Over how long clients that are sent away together come back. */
  private static final int RETRY_SPREAD_MS = 1000;

  private final int code;
  private final String reason;
  private final String message;

  Disconnect(int code, String reason, String message) {
    this.code = code;
    this.reason = reason;
    this.message = message;
  }

  /** The stable number. */
  @Override
  public int code() {
    return code;
  }

  /** The stable word. */
  @Override
  public String reason() {
    return reason;
  }

  /** Whether the client should wait before it comes back, so that not all come at once. */
  private boolean isForAll() {
    return this == SHUTDOWN || this == BUSY || this == FULL;
  }

  /**
   * The last message before the end, since SockJS's own close frame cannot carry the code. Each
   * client is told another time to come back after.
   */
  @Override
  public Frame[] lastWords() {
    String words =
        "{\"type\":\"err\",\"body\":\""
            + reason
            + "\",\"failureCode\":"
            + code
            + ",\"failureType\":\"disconnect\""
            + (isForAll() ? ",\"retryAfterMs\":" + randomMs() : "")
            + ",\"message\":\""
            + message
            + "\"}";
    return new Frame[] {Frame.ofControl(words)};
  }

  private static int randomMs() {
    return ThreadLocalRandom.current().nextInt(RETRY_SPREAD_MS);
  }
}
