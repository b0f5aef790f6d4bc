package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.Journal.Kind;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Watches all topics as a browser's page does: it comes back with its Positions when its connection
 * ends, and writes down all that it is shown and told.
 */
public final class ChaosViewer implements Runnable, AutoCloseable {
  /** What carries a viewer's messages. */
  public enum Carrier {
    WEBSOCKET,
    POLLING,
    /** {@code GET /stream/…} with a message on each line. */
    LINES
  }

  static final String FILTER = "chaos/#";

  private static final String UNASKED = "unasked";
  private static final long LEAST_STAY_MS = 3_000;
  private static final int MORE_STAY_MS = 12_000;
  private static final int MOST_PAUSE_MS = 1_000;
  private static final int LONGER_PAUSE_MS = 4_000;
  private static final long JOIN_MS = 3_000;

  private final HttpClient client;
  private final Carrier carrier;
  private final List<String> nodes;
  private int turn;
  private volatile boolean stays;
  private final Random random;
  private final Journal journal;
  private final Map<Integer, SeenPosition> positions = new TreeMap<>();
  private final Thread thread;

  /** The Positions with which it came back, until that is answered. */
  private String question = UNASKED;

  private volatile boolean isClosed;
  private volatile boolean isStale;
  private volatile boolean isConnected;

  /**
   * @param nodes where it watches; when its connection ends it goes on at the next
   * @param stays whether it goes only where it has to; else it leaves now and then
   */
  public ChaosViewer(
      HttpClient client,
      String name,
      Carrier carrier,
      List<String> nodes,
      boolean stays,
      long seed) {
    this.client = client;
    this.carrier = carrier;
    this.nodes = List.copyOf(nodes);
    this.stays = stays;
    this.random = new Random(seed);
    this.journal = new Journal(name);
    this.thread = new Thread(this, name);
    thread.setDaemon(true);
  }

  public ChaosViewer start() {
    thread.start();
    return this;
  }

  public Journal journal() {
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
        turn++;
        int most = stays ? MOST_PAUSE_MS : LONGER_PAUSE_MS;
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(most));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Channel open() throws IOException, InterruptedException {
    String http = nodes.get(turn % nodes.size());
    return switch (carrier) {
      case WEBSOCKET -> SocketChannel.open(client, http);
      case POLLING -> PollingChannel.open(client, http);
      case LINES -> new LinesChannel(client, http);
    };
  }

  private void watch(Channel channel) throws IOException, InterruptedException {
    JsonObject headers = new JsonObject().put("snapshot", "true");
    question = UNASKED;
    if (!positions.isEmpty()) {
      question = since();
      headers.put("since", question);
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
        journal.told(isComplete ? Kind.RESUMED : Kind.INCOMPLETE, question);
        question = UNASKED;
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
