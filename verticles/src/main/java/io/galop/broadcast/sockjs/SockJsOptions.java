package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import java.util.Set;

/**
 * What can be chosen about an endpoint.
 *
 * @param path where it is, without a slash at the end
 * @param transports those that it has; websocket means the raw one too
 * @param library the URL of the client's script for the iframe's page
 * @param isCookieNeeded whether browsers are given a JSESSIONID, for balancers that want one
 * @param responseBytes how much of frames a streaming response carries before it ends
 * @param maxMessageBytes largest body of messages
 * @param disconnectDelayMs how long a session outlives its last request
 */
public record SockJsOptions(
    String path,
    Set<SockJsTransport> transports,
    String library,
    boolean isCookieNeeded,
    int responseBytes,
    int maxMessageBytes,
    long disconnectDelayMs) {
  /** What the protocol proposes. */
  public static final int RESPONSE_BYTES = 128 * 1024;

  /** What the protocol proposes. */
  public static final long DISCONNECT_DELAY_MS = 5000;

  boolean has(SockJsTransport transport) {
    return transports.contains(transport);
  }
}
