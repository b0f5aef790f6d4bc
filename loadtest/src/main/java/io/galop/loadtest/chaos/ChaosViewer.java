package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.Journal.Kind;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Watches all topics as a browser's page does: it comes back with its Positions when its connection
 * ends, and writes down all that it is shown and told.
 */
final class ChaosViewer implements Runnable, AutoCloseable {
  /** What carries a viewer's messages. */
  enum Carrier {
    WEBSOCKET,
    POLLING,
    /** {@code GET /stream/…} with a message on each line. */
    LINES
  }

  static final String FILTER = "chaos/#";

  private static final long LEAST_STAY_MS = 3_000;
  private static final int MORE_STAY_MS = 12_000;
  private static final int MOST_PAUSE_MS = 1_000;
  private static final int LONGER_PAUSE_MS = 4_000;
  private static final long JOIN_MS = 3_000;

  private final HttpClient client;
  private final Carrier carrier;
  private final String http;
  private volatile boolean stays;
  private final Random random;
  private final Journal journal;
  private final Map<Integer, SeenPosition> positions = new TreeMap<>();
  private final Thread thread;
  private volatile boolean isClosed;
  private volatile boolean isStale;
  private volatile boolean isConnected;

  /**
   * @param stays whether it goes only where it has to; else it leaves now and then
   */
  ChaosViewer(
      HttpClient client, String name, Carrier carrier, String http, boolean stays, long seed) {
    this.client = client;
    this.carrier = carrier;
    this.http = http;
    this.stays = stays;
    this.random = new Random(seed);
    this.journal = new Journal(name);
    this.thread = new Thread(this, name);
    thread.setDaemon(true);
  }

  ChaosViewer start() {
    thread.start();
    return this;
  }

  Journal journal() {
    return journal;
  }

  boolean stays() {
    return stays;
  }

  /** Whoever left now and then stays from now on. */
  void settle() {
    stays = true;
  }

  /** Whether it is connected and was not told that what it is shown is old. */
  boolean isFresh() {
    return isConnected && !isStale;
  }

  @Override
  public void run() {
    try {
      while (!isClosed) {
        try (Channel channel = open()) {
          watch(channel);
        } catch (IOException | RuntimeException e) {
          journal.told(Kind.ENDED, String.valueOf(e.getMessage()));
        }
        isConnected = false;
        int most = stays ? MOST_PAUSE_MS : LONGER_PAUSE_MS;
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(most));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Channel open() throws IOException, InterruptedException {
    return switch (carrier) {
      case WEBSOCKET -> SocketChannel.open(client, http);
      case POLLING -> PollingChannel.open(client, http);
      case LINES -> new LinesChannel(client, http);
    };
  }

  private void watch(Channel channel) throws IOException, InterruptedException {
    JsonObject headers = new JsonObject().put("snapshot", "true");
    if (!positions.isEmpty()) {
      headers.put("since", since());
    }
    isStale = false;
    channel.send(
        new JsonObject()
            .put("type", "register")
            .put("address", FILTER)
            .put("headers", headers)
            .encode());
    isConnected = true;
    long leaveNs =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(LEAST_STAY_MS + random.nextInt(MORE_STAY_MS));
    while (!isClosed && (stays || System.nanoTime() < leaveNs)) {
      for (String message : channel.next()) {
        onMessage(new JsonObject(message));
      }
    }
  }

  private String since() {
    return positions.values().stream().map(SeenPosition::toString).collect(Collectors.joining(","));
  }

  private void onMessage(JsonObject message) throws IOException {
    switch (message.getString("type", "")) {
      case "rec" -> {
        SeenPosition position =
            SeenPosition.parse(message.getJsonObject("headers").getString("pos"));
        journal.shown(message.getJsonObject("body").getString("id"), position);
        remember(position);
      }
      case "resumed" -> {
        boolean isComplete = message.getBoolean("complete");
        journal.told(isComplete ? Kind.RESUMED : Kind.INCOMPLETE, null);
      }
      case "live" -> onLive(message.getString("pos", ""));
      case "stale", "fresh" -> onAge(message);
      case "err", "end" -> throw new IOException(message.encode());
      default -> {}
    }
  }

  private void onLive(String text) {
    Map<Integer, SeenPosition> live = new TreeMap<>();
    for (String each : text.split(",")) {
      if (!each.isEmpty()) {
        SeenPosition position = SeenPosition.parse(each);
        live.put(position.shard(), position);
        remember(position);
      }
    }
    journal.live(live);
  }

  /** Words about one topic are not about the feed. */
  private void onAge(JsonObject message) {
    JsonObject headers = message.getJsonObject("headers");
    if (headers == null || !headers.containsKey("topic")) {
      isStale = message.getString("type").equals("stale");
      journal.told(isStale ? Kind.STALE : Kind.FRESH, null);
    }
  }

  private void remember(SeenPosition position) {
    positions.merge(position.shard(), position, (old, is) -> old.isUpTo(is) ? is : old);
  }

  @Override
  public void close() throws InterruptedException {
    isClosed = true;
    thread.interrupt();
    thread.join(JOIN_MS);
  }
}
