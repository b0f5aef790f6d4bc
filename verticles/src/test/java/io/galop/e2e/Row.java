package io.galop.e2e;

import java.util.List;

/**
 * One row of the table: a transport as some client speaks it.
 *
 * @param client who speaks it
 * @param host the name by which it reaches a node; browsers allow few connections to one name
 * @param crowd where its viewers are
 */
record Row(String client, String transport, String host, Crowd crowd) {
  /** Those that sockjs-client has in Node.js. */
  static final List<String> OF_SOCKJS_CLIENT = List.of("websocket", "xhr-streaming", "xhr-polling");

  /** Those that only browsers have. */
  static final List<String> OF_BROWSERS = List.of("eventsource", "htmlfile", "jsonp-polling");

  /** Responses without SockJS. */
  static final List<String> OF_STREAMS = List.of("sse", "ndjson");

  /** MQTT, at a port of its own and in a websocket. */
  static final List<String> OF_MQTT = List.of("mqtt", "mqtt-websocket");

  /** Whether pages of browsers can use it, whose origin is looked at. */
  boolean hasOrigin() {
    return !OF_MQTT.contains(transport);
  }

  boolean isChromium() {
    return client.equals("Chromium");
  }

  /** The address of the feed on a node. */
  String live(int port, String token) {
    return "http://" + host + ":" + port + "/live" + (token.isEmpty() ? "" : "?token=" + token);
  }

  @Override
  public String toString() {
    return client + " " + transport;
  }
}
