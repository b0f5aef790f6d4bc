package io.galop.broadcast;

/**
 * Why Galop ends a connection. The codes are part of the outside contract: they only grow. Below
 * 3500 the client should come back, with its Positions; from 3500 on it would be refused again.
 */
public enum Disconnect {
  /** The node is shutting down: come back, another node may answer. */
  SHUTDOWN(3001, "shutdown", "the node is shutting down; come back"),
  /** The connection was so slow that what it has to read next is gone. */
  SLOW(3008, "slow", "the connection is too slow for what it registered; come back to resume"),
  /** Too many registrations wait for their snapshot or resume. */
  BUSY(3009, "busy", "the node has too many registrations to answer; come back later"),
  /** The node has as many connections as it allows. */
  FULL(3010, "full", "the node has as many connections as it allows; come back later"),
  /** The browser sent a message larger than allowed. */
  MESSAGE_TOO_LARGE(3500, "message_too_large", "a message was larger than this node allows");

  private final int code;
  private final String reason;
  private final String message;

  Disconnect(int code, String reason, String message) {
    this.code = code;
    this.reason = reason;
    this.message = message;
  }

  /** The stable number. */
  public int code() {
    return code;
  }

  /** The stable word. */
  public String reason() {
    return reason;
  }

  /** The last message before the end, since SockJS's own close frame cannot carry the code. */
  Frame farewell() {
    return Frame.ofControl(
        "{\"type\":\"err\",\"body\":\""
            + reason
            + "\",\"failureCode\":"
            + code
            + ",\"failureType\":\"disconnect\",\"message\":\""
            + message
            + "\"}");
  }
}
