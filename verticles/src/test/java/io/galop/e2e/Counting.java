package io.galop.e2e;

import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A browser for many records: a raw websocket on {@code a/#} that remembers only the numbers of
 * what it saw, and comes back with its Positions when it is sent away.
 */
final class Counting implements AutoCloseable, WebSocket.Listener {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private URI live;
  private final StringBuilder text = new StringBuilder();
  private final BitSet seen = new BitSet();
  private final Map<Integer, Position> positions = new HashMap<>();
  private final Map<String, Integer> words = new HashMap<>();
  private long doubled;
  private boolean isClosed;
  private WebSocket socket;

  private Counting(URI http) {
    this.live = websocket(http);
  }

  private static URI websocket(URI http) {
    return URI.create("ws" + http.toString().substring("http".length()));
  }

  /** One that is registered: what is placed from now on comes. */
  static Counting on(GalopProcess node) {
    Counting watcher = new Counting(node.http("/live/websocket"));
    watcher.connect("");
    Await.until("it is registered", 120, () -> watcher.count("resumed true") > 0);
    return watcher;
  }

  private synchronized void connect(String since) {
    socket = HTTP.newWebSocketBuilder().buildAsync(live, this).join();
    String register =
        new JsonObject()
            .put("type", "register")
            .put("address", "a/#")
            .put("headers", new JsonObject().put("since", since))
            .encode();
    socket.sendText(register, true);
  }

  /** Its node is gone: comes to another one with its Positions. */
  synchronized void comeTo(GalopProcess node) {
    socket.abort();
    live = websocket(node.http("/live/websocket"));
    text.setLength(0);
    connect(since());
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      onMessage(new JsonObject(text.toString()));
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  private synchronized void onMessage(JsonObject message) {
    String type = message.getString("type");
    words.merge(key(type, message), 1, Integer::sum);
    if (type.equals("rec")) {
      int number = message.getJsonObject("body").getJsonObject("data").getInteger("n");
      doubled += seen.get(number) ? 1 : 0;
      seen.set(number);
    }
    JsonObject headers = message.getJsonObject("headers", message);
    for (String position : headers.getString("pos", "").split(",")) {
      if (!position.isEmpty()) {
        Position at = Position.parse(position);
        positions.merge(at.shard(), at, (a, b) -> a.compareTo(b) >= 0 ? a : b);
      }
    }
  }

  private static String key(String type, JsonObject message) {
    return type.equals("resumed") ? type + " " + message.getBoolean("complete") : type;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    onEnd(from, "close " + code);
    return null;
  }

  /** A connection that is reset is not closed. */
  @Override
  public void onError(WebSocket from, Throwable error) {
    onEnd(from, error.toString());
  }

  private synchronized void onEnd(WebSocket from, String how) {
    if (isClosed) {
      return;
    }
    words.merge("close", 1, Integer::sum);
    words.merge(how, 1, Integer::sum);
    if (from == socket) {
      text.setLength(0);
      connect(since());
    }
  }

  /** Where it is, as it would say when it comes back. */
  synchronized String since() {
    return positions.values().stream().map(Position::toString).collect(Collectors.joining(","));
  }

  /** Which of the numbers below a bound it has not seen. */
  synchronized BitSet missing(int below) {
    BitSet missing = new BitSet();
    missing.set(0, below);
    missing.andNot(seen);
    return missing;
  }

  /** How often a word was said: {@code stale}, {@code resumed false}, {@code close}. */
  synchronized int count(String word) {
    return words.getOrDefault(word, 0);
  }

  synchronized long doubled() {
    return doubled;
  }

  @Override
  public synchronized String toString() {
    return words + ", " + seen.cardinality() + " seen, " + doubled + " twice";
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    socket.abort();
  }
}
