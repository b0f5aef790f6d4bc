package io.galop;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Watches a node with the JDK's websocket, and keeps all that comes. */
class FeedViewer implements WebSocket.Listener {
  /** All that came, in order; grows on the client's thread. */
  final List<JsonObject> all = new CopyOnWriteArrayList<>();

  private final StringBuilder begun = new StringBuilder();
  private final WebSocket socket;

  FeedViewer(HttpClient http, GalopNode node) throws Exception {
    URI uri = URI.create("ws://" + node.listeners().get("http") + "/live/websocket");
    socket = http.newWebSocketBuilder().buildAsync(uri, this).get(60, TimeUnit.SECONDS);
  }

  void say(String type, String filter, JsonObject headers) throws Exception {
    JsonObject message =
        new JsonObject().put("type", type).put("address", filter).put("headers", headers);
    socket.sendText(message.encode(), true).get(60, TimeUnit.SECONDS);
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    begun.append(data);
    if (last) {
      all.add(new JsonObject(begun.toString()));
      begun.setLength(0);
    }
    from.request(1);
    return null;
  }

  List<JsonObject> records() {
    return all.stream().filter(one -> one.getString("type").equals("rec")).toList();
  }

  List<String> ids() {
    return records().stream().map(one -> one.getJsonObject("body").getString("id")).toList();
  }

  /** Whether it was told that what it missed is complete, or is not. */
  boolean isTold(boolean complete) {
    return all.stream().anyMatch(one -> one.encode().contains("\"complete\":" + complete));
  }

  String positionOf(String id) {
    return records().stream()
        .filter(one -> one.getJsonObject("body").getString("id").equals(id))
        .map(one -> one.getJsonObject("headers").getString("pos"))
        .findFirst()
        .orElseThrow();
  }

  void leave() throws Exception {
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(60, TimeUnit.SECONDS);
  }
}
