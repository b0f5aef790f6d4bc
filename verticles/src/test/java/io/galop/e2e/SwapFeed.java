package io.galop.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Records at a steady rate, or what the node takes if that is less, into the tcp door of a node,
 * and a viewer of all of them: how long each was on its way.
 */
final class SwapFeed implements AutoCloseable {
  static final int TOPICS = 100;
  private static final int MOST_IN_FLIGHT = 2_000;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A record as it was seen. */
  record Sight(String id, JsonObject data, String topic, long tookNanos, long atNanos) {}

  private final List<Sight> seen = Collections.synchronizedList(new ArrayList<>());
  private final Socket door;
  private final WebSocket viewer;
  private final Thread sender;
  private final Thread acks;
  private volatile boolean ended;
  private volatile long sent;
  private volatile long acknowledged;
  private volatile boolean isRegistered;
  private final int mostInFlight;

  SwapFeed(GalopProcess node, int perSecond) throws Exception {
    this(node, perSecond, MOST_IN_FLIGHT);
  }

  SwapFeed(GalopProcess node, int perSecond, int mostInFlight) throws Exception {
    this.mostInFlight = mostInFlight;
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket");
    viewer = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(live, new Ear()).get();
    viewer.sendText("{\"type\":\"register\",\"address\":\"swap/#\"}", true).get();
    viewer.sendText("{\"type\":\"ping\"}", true).get();
    Await.until("the viewer is registered", 60, () -> isRegistered);
    String[] address = node.address("tcp").split(":");
    door = new Socket(address[0], Integer.parseInt(address[1]));
    door.setTcpNoDelay(true);
    sender = new Thread(() -> send(perSecond), "sender");
    acks = new Thread(this::readAcks, "acks");
    sender.start();
    acks.start();
  }

  private void send(int perSecond) {
    try {
      OutputStream out = door.getOutputStream();
      long began = System.nanoTime();
      while (!ended) {
        long steady = (System.nanoTime() - began) * perSecond / TimeUnit.SECONDS.toNanos(1);
        long due = Math.min(steady, acknowledged + mostInFlight);
        StringBuilder lines = new StringBuilder();
        for (; sent < due; sent++) {
          lines.append("{\"topic\":\"swap/").append(sent % TOPICS).append("\",\"id\":\"s");
          lines.append(sent).append("\",\"data\":{\"at\":").append(System.nanoTime() / 1000);
          lines.append(",\"speed\":").append(sent % 40).append(",\"unit\":\"m/s\"}}\n");
        }
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
        LockSupport.parkNanos(TICK_NANOS);
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void readAcks() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(door.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged = new JsonObject(line).getLong("acked", acknowledged);
      }
    } catch (java.io.IOException e) {
      // The test is over.
    }
  }

  /** Takes what the viewer is sent. */
  private final class Ear implements WebSocket.Listener {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      byte[] part = new byte[data.remaining()];
      data.get(part);
      bytes.writeBytes(part);
      if (last) {
        take(bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
      }
      socket.request(1);
      return null;
    }

    private void take(String message) {
      long now = System.nanoTime();
      if (message.startsWith("[")) {
        new JsonArray(message).forEach(one -> take((JsonObject) one, now));
      } else {
        take(new JsonObject(message), now);
      }
    }

    private void take(JsonObject message, long now) {
      if ("pong".equals(message.getString("type"))) {
        isRegistered = true;
      } else if ("rec".equals(message.getString("type"))) {
        JsonObject body = message.getJsonObject("body");
        JsonObject data = body.getJsonObject("data");
        String topic = message.getJsonObject("headers").getString("topic");
        long took = now - data.getLong("at") * 1000;
        seen.add(new Sight(body.getString("id"), data, topic, took, now));
      }
    }
  }

  /** All that was seen so far. */
  List<Sight> seen() {
    synchronized (seen) {
      return List.copyOf(seen);
    }
  }

  /** In milliseconds, of the records that were seen between two moments. */
  double p99Ms(long fromNanos, long toNanos) {
    long[] took =
        seen().stream()
            .filter(one -> one.atNanos() >= fromNanos && one.atNanos() < toNanos)
            .mapToLong(Sight::tookNanos)
            .toArray();
    Arrays.sort(took);
    return took.length == 0 ? Double.NaN : took[(int) (took.length * 0.99)] / 1e6;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** Sends no more; how many there were. */
  long stop() throws InterruptedException {
    ended = true;
    sender.join();
    return sent;
  }

  @Override
  public void close() throws Exception {
    stop();
    viewer.abort();
    door.close();
    acks.join();
  }
}
