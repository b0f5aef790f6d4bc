package io.galop.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A connection to a feed that comes back by itself and goes on where it was:
 *
 * <pre>{@code
 * try (GalopClient client = GalopClient.connect("http://127.0.0.1:8080/live")) {
 *   client.subscribe("race/#", SubscribeOptions.create().snapshot())
 *       .forEach(record -> System.out.println(record.topic() + " " + record.json()))
 *       .toCompletableFuture()
 *       .join();
 * }
 * }</pre>
 *
 * <p>For any thread; nothing here blocks. Its threads are daemons.
 */
public final class GalopClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final Feed feed;
  private final Door door;
  private final Executor executor;
  private final Map<String, Registration> registrations = new ConcurrentHashMap<>();

  private GalopClient(Builder builder) {
    HttpClient usual =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    HttpClient http = builder.http.orElse(usual);
    executor = builder.executor.orElseGet(() -> workers());
    door = new Door(http, executor, builder.token, builder.isRenewable);
    feed =
        new Feed(
            new Feed.Settings(
                List.copyOf(builder.urls), door, builder.onConnection, builder.onToken));
    feed.start();
  }

  /** At most one thread for each subscription, while it hands over records. */
  private static ExecutorService workers() {
    return Executors.newCachedThreadPool(
        task -> {
          Thread thread = new Thread(task, "galop-client-records");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Connects without a token. See {@link Builder#url}. */
  public static GalopClient connect(String url) {
    return builder().url(url).connect();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The connection as it is now. */
  public Connection connection() {
    return feed.connection();
  }

  /**
   * Watches a filter: a topic, with {@code +} for one level and a final {@code #} for the rest.
   * Each filter can be subscribed once at a time.
   *
   * @throws FeedException {@code already_subscribed}, or {@code closed}
   */
  public Subscription subscribe(String filter, SubscribeOptions options) {
    if (connection().state() == Connection.State.CLOSED) {
      throw new FeedException("closed", "the client is closed", 0);
    }
    Registration[] own = new Registration[1];
    RecordQueue queue =
        new RecordQueue(options.maxQueue, options.policy, executor, () -> remove(own[0]));
    Registration registration =
        new Registration(filter, options, queue, feed::say, () -> forget(own[0]));
    own[0] = registration;
    if (registrations.putIfAbsent(filter, registration) != null) {
      throw new FeedException("already_subscribed", "'" + filter + "' is subscribed already", 0);
    }
    feed.add(registration);
    return new Subscription(
        registration, update -> feed.update(registration, update), () -> remove(registration));
  }

  /** Watches a filter with {@link SubscribeOptions#create}. */
  public Subscription subscribe(String filter) {
    return subscribe(filter, SubscribeOptions.create());
  }

  /**
   * Asks the node that the client is connected to, or tries to reach, about the past of a filter.
   *
   * @return fails with a FeedException: the reason {@code unavailable} if no answer came within a
   *     minute, else with the HTTP status as its code
   */
  public CompletionStage<History> history(String filter, HistoryQuery query) {
    if (query.isOfRows()) {
      throw new IllegalArgumentException(
          "every() and points() ask for rows: use rows(filter, query)");
    }
    return door.history(connection().url(), filter, query);
  }

  /**
   * The same, folded: {@code HistoryQuery.create().every(Duration.ofMinutes(1)).fields("odds")}, or
   * {@code HistoryQuery.create().points(500).fields("odds")} for a plot.
   *
   * @throws IllegalArgumentException without {@link HistoryQuery#every} and {@link
   *     HistoryQuery#points}
   */
  public CompletionStage<HistoryRows> rows(String filter, HistoryQuery query) {
    if (!query.isOfRows()) {
      throw new IllegalArgumentException(
          "every() or points() is missing: how long is a row, or how many points are there?");
    }
    return door.rows(connection().url(), filter, query);
  }

  private void remove(Registration registration) {
    forget(registration);
    feed.remove(registration);
  }

  private void forget(Registration registration) {
    registrations.remove(registration.filter, registration);
  }

  /** Comes back now, instead of after the back-off. */
  public void reconnect() {
    feed.reconnect();
  }

  /** Ends the connection and all subscriptions, soon after it returns. What waits can be taken. */
  @Override
  public void close() {
    feed.close();
  }

  /** How to connect. Not for several threads. */
  public static final class Builder {
    private final List<String> urls = new ArrayList<>();
    private TokenSource token = () -> "";
    private boolean isRenewable;
    private Consumer<Connection> onConnection = connection -> {};
    private BiConsumer<String, String> onToken = (reason, message) -> {};
    private Optional<HttpClient> http = Optional.empty();
    private Optional<Executor> executor = Optional.empty();

    private Builder() {}

    /**
     * A node's feed, such as {@code https://feed.example.com/live}. Called again it adds another
     * node of the same cluster: each try to come back goes to the next one.
     *
     * @throws IllegalArgumentException unless it begins with http://, https://, ws:// or wss://
     */
    public Builder url(String url) {
      if (!url.matches("(?:http|ws)s?://[^?#/]+/[^?#]*[^?#/]/*")) {
        throw new IllegalArgumentException(
            "url must be of the feed, such as https://example.org/live, and have no ? or #, not "
                + url);
      }
      URI.create(url);
      urls.add(url.replaceFirst("^ws", "http").replaceFirst("/+$", ""));
      return this;
    }

    /** The same token for each connection. */
    public Builder token(String fixed) {
      token = () -> fixed;
      isRenewable = false;
      return this;
    }

    /** Is asked for each connection and each question, and before a token expires. */
    public Builder token(TokenSource source) {
      token = source;
      isRenewable = true;
      return this;
    }

    /** Is told, on the client's thread, of each state of the connection; it must not block. */
    public Builder onConnection(Consumer<Connection> listener) {
      onConnection = listener;
      return this;
    }

    /**
     * Is told, on the client's thread, that the node has taken a renewed token (empty reason), or
     * the reason and a sentence why it refused it; it must not block.
     */
    public Builder onToken(BiConsumer<String, String> listener) {
      onToken = listener;
      return this;
    }

    /** For another TLS context, a proxy, or the like. It stays the program's own. */
    public Builder httpClient(HttpClient client) {
      http = Optional.of(client);
      return this;
    }

    /**
     * Hands over records and asks for tokens, such as {@code
     * Executors.newVirtualThreadPerTaskExecutor()}. It must not refuse tasks, nor run them on the
     * caller's thread. It stays the program's own; by default daemon threads as needed.
     */
    public Builder executor(Executor tasks) {
      executor = Optional.of(tasks);
      return this;
    }

    /**
     * Begins to connect, and returns at once.
     *
     * @throws IllegalStateException without a url
     */
    public GalopClient connect() {
      if (urls.isEmpty()) {
        throw new IllegalStateException("url is missing");
      }
      return new GalopClient(this);
    }
  }
}
