package io.galop.loadtest.client;

import io.galop.yaml.Word;
import io.galop.yaml.Words;
import org.jspecify.annotations.Nullable;

/** How a viewer is connected. The text of each is its name on the command line. */
public enum ViewerTransport {
  WEBSOCKET("GET", "/websocket", null, ""),
  RAW_WEBSOCKET("GET", null, null, ""),
  XHR_STREAMING("POST", "/xhr_streaming", "/xhr_send", ""),
  XHR_POLLING("POST", "/xhr", "/xhr_send", ""),
  EVENTSOURCE("GET", "/eventsource", "/xhr_send", "data: "),
  HTMLFILE("GET", "/htmlfile?c=cb", "/xhr_send", "p(\""),
  JSONP("GET", "/jsonp?c=cb", "/jsonp_send", "/**/cb(\""),
  /** Engine.IO 4 over a websocket, which only socket.io speaks. */
  @Word("socket.io")
  SOCKET_IO("GET", null, null, "");

  private final String method;
  private final @Nullable String receives;
  private final @Nullable String sends;
  private final String prefix;

  ViewerTransport(String method, @Nullable String receives, @Nullable String sends, String prefix) {
    this.method = method;
    this.receives = receives;
    this.sends = sends;
    this.prefix = prefix;
  }

  boolean isWebSocket() {
    return sends == null;
  }

  /** Whether each answer ends, so that the viewer has to ask again. */
  public boolean isPolling() {
    return this == XHR_POLLING || this == JSONP;
  }

  String method() {
    return method;
  }

  /**
   * Where a viewer asks for messages.
   *
   * @param base of the endpoint, as in /live
   * @param session of the viewer: {@code /server/session}
   */
  String receivesAt(String base, String session) {
    return switch (this) {
      case SOCKET_IO -> "/socket.io/?EIO=4&transport=websocket";
      case RAW_WEBSOCKET -> base + "/websocket";
      default -> base + session + receives;
    };
  }

  /** Where it posts what it says. */
  String sendsTo(String base, String session) {
    return base + session + sends;
  }

  /** What stands before each SockJS frame in a line of a body. */
  String prefix() {
    return prefix;
  }

  @Override
  public String toString() {
    return Words.of(this);
  }
}
