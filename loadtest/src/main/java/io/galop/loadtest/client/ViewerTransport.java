package io.galop.loadtest.client;

/** How a viewer is connected. The text of each is its name on the command line. */
public enum ViewerTransport {
  WEBSOCKET("websocket", "GET", "/websocket", null, null),
  RAW_WEBSOCKET("raw-websocket", "GET", null, null, null),
  XHR_STREAMING("xhr-streaming", "POST", "/xhr_streaming", "/xhr_send", ""),
  XHR_POLLING("xhr-polling", "POST", "/xhr", "/xhr_send", ""),
  EVENTSOURCE("eventsource", "GET", "/eventsource", "/xhr_send", "data: "),
  HTMLFILE("htmlfile", "GET", "/htmlfile?c=cb", "/xhr_send", "p(\""),
  JSONP("jsonp", "GET", "/jsonp?c=cb", "/jsonp_send", "/**/cb(\""),
  /** Engine.IO 4 over a websocket, which only socket.io speaks. */
  SOCKET_IO("socket.io", "GET", null, null, null);

  private final String name;
  private final String method;
  private final String receives;
  private final String sends;
  private final String prefix;

  ViewerTransport(String name, String method, String receives, String sends, String prefix) {
    this.name = name;
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
    return name;
  }
}
