package io.galop.client;

import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that comes back by itself, with the Positions that its registrations have. All of it
 * is on the client's thread, but for what is said to be for any thread.
 */
final class Feed {
  private static final long PING_MS = 1_500;
  private static final long SILENT_MS = 2_500;
  private static final long DEAD_MS = 9_000;
  private static final long KEEP_MS = 1_000;
  private static final long WATCH_MS = 250;

  /** Where, with what, and who is told. */
  record Settings(
      List<String> urls,
      Door door,
      Consumer<Connection> onConnection,
      BiConsumer<String, String> onToken) {}

  private final Settings settings;
  private final ScheduledThreadPoolExecutor thread;
  private final Map<String, Registration> registrations = new LinkedHashMap<>();
  private final Owed owed = new Owed();
  private volatile Connection connection;
  private Deltas deltas = new Deltas();

  /** Counts connections: what an earlier one still says means nothing. */
  private int current;

  private int attempt;
  private long heardNanos;
  private long pingedNanos;
  private boolean isPinged;
  private @Nullable Channel channel;
  private @Nullable WebSocket socket;
  private @Nullable Renewal renewal;
  private @Nullable End farewell;
  private @Nullable Future<?> retry;

  Feed(Settings settings) {
    this.settings = settings;
    this.connection = new Connection(Connection.State.CONNECTING, url(0), 0, "", "", 0);
    thread = new ScheduledThreadPoolExecutor(1, Feed::named);
    thread.setRemoveOnCancelPolicy(true);
    // It is never shut down, so that who comes after the end is told so; idle, its thread ends.
    thread.setKeepAliveTime(KEEP_MS, TimeUnit.MILLISECONDS);
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread named(Runnable task) {
    Thread thread = new Thread(task, "galop-client");
    thread.setDaemon(true);
    return thread;
  }

  private String url(int number) {
    return settings.urls.get(number % settings.urls.size());
  }

  /** For any thread. */
  Connection connection() {
    return connection;
  }

  /** For any thread. */
  void start() {
    thread.execute(this::open);
  }

  private void watchLater(int which) {
    thread.schedule(() -> watch(which), WATCH_MS, TimeUnit.MILLISECONDS);
  }

  /** For any thread. */
  void add(Registration registration) {
    thread.execute(() -> register(registration));
  }

  private void register(Registration registration) {
    if (connection.state() == Connection.State.CLOSED) {
      registration.end(new FeedException("closed", "the client is closed", 0));
      return;
    }
    registrations.put(registration.filter, registration);
    if (channel != null) {
      registration.register();
      registration.connected(connection.state() == Connection.State.LIVE, false);
    }
  }

  /** Ends a subscription by the program's wish. For any thread. */
  void remove(Registration registration) {
    thread.execute(() -> end(registration, null));
  }

  /** For any thread. */
  void update(Registration registration, Update update) {
    thread.execute(() -> registration.update(update));
  }

  private void end(Registration registration, @Nullable FeedException failure) {
    if (registrations.remove(registration.filter, registration)) {
      deltas.forget(registration.filter);
      if (channel != null) {
        owed.add(registration.filter, registration.unanswered());
      }
      say(Json.write(Map.of("type", "unregister", "address", registration.filter)));
    }
    registration.end(failure);
  }

  /** Over the connection, if there is one. */
  void say(String text) {
    if (channel != null) {
      channel.say(text);
    }
  }

  /** Comes back now, instead of after the back-off. For any thread. */
  void reconnect() {
    thread.execute(
        () -> {
          if (connection.state() == Connection.State.WAITING) {
            open();
          }
        });
  }

  /** For any thread. */
  void close() {
    thread.execute(() -> shut(new End(0, "", "", true, 0), true));
  }

  private void enter(Connection.State state, End why, long retryMs) {
    connection =
        new Connection(state, url(current), why.code(), why.reason(), why.message(), retryMs);
    boolean isLive = state == Connection.State.LIVE;
    boolean isLost = state == Connection.State.CONNECTING || state == Connection.State.WAITING;
    if (state != Connection.State.CLOSED) {
      List.copyOf(registrations.values()).forEach(each -> each.connected(isLive, isLost));
    }
    Registration.call(settings.onConnection, connection);
  }

  private void open() {
    cancelRetry();
    Connection last = connection;
    enter(
        Connection.State.CONNECTING,
        new End(last.code(), last.reason(), last.message(), false, 0),
        0);
    int mine = current;
    String url = url(mine);
    Channel opening = new Channel(thread, new Heard(mine));
    settings
        .door
        .token()
        .thenCompose(
            token ->
                settings
                    .door
                    .dial(url, token, opening)
                    .thenAccept(open -> thread.execute(() -> opened(mine, opening, open, token))))
        .whenComplete(
            (done, fault) -> {
              if (fault != null) {
                thread.execute(() -> ended(mine, Door.end(fault)));
              }
            });
  }

  private void opened(int which, Channel opened, WebSocket open, String token) {
    if (which != current) {
      open.abort();
      return;
    }
    channel = opened;
    socket = open;
    deltas = new Deltas();
    owed.clear();
    farewell = null;
    isPinged = false;
    heardNanos = System.nanoTime();
    opened.begin(open);
    registrations.values().forEach(Registration::register);
    if (settings.door.isRenewable) {
      renewal = new Renewal(settings.door::token, token, this::sayToken, thread);
    }
    enter(Connection.State.LIVE, End.lost(""), 0);
    watchLater(which);
  }

  private void sayToken(String token) {
    say(Json.write(Map.of("type", "token", "headers", Map.of("token", token))));
  }

  /** What one connection says, until another takes its place. */
  private final class Heard implements Channel.Ears {
    private final int which;

    Heard(int which) {
      this.which = which;
    }

    @Override
    public void onText(String text) {
      if (which == current) {
        Feed.this.onText(text);
      }
    }

    @Override
    public void onEnd(int code, String reason) {
      End told = farewell;
      ended(which, told != null ? told : new End(code, "", reason, false, 0));
    }
  }

  private void onText(String text) {
    try {
      onMessage(Message.parse(deltas.read(text)));
    } catch (Deltas.Lost lost) {
      if (registrations.containsKey(lost.address)) {
        // What is still on its way must not move a Position.
        ended(current, new End(0, "delta", "a delta could not be read", false, 0));
      }
    } catch (RuntimeException e) {
      // What is no message may be one next time; a fault of the client's would come again.
      boolean isFinal = !(e instanceof IllegalArgumentException);
      ended(current, new End(0, "fault", e.toString(), isFinal, 0));
    }
  }

  private void onMessage(Message message) {
    heardNanos = System.nanoTime();
    isPinged = false;
    attempt = 0;
    if (connection.state() == Connection.State.SILENT) {
      enter(Connection.State.LIVE, End.lost(""), 0);
    }
    Registration registration = registrations.get(message.address);
    switch (message.type) {
      case "err" -> onRefusal(message, registration);
      case "token" -> onToken("", "");
      case "rec" -> {
        if (registration != null && !registration.onRecord(message)) {
          end(registration, new FeedException("slow_consumer", "the program is too slow", 0));
        }
      }
      default -> {
        if (registration != null) {
          if (message.type.equals("live")) {
            owed.forget(registration.filter);
          }
          registration.onWord(message);
        }
      }
    }
  }

  private void onRefusal(Message message, @Nullable Registration registration) {
    if (message.isFarewell()) {
      farewell = End.told(message, settings.door.isRenewable);
      return;
    }
    boolean wasAskedTwice = message.word.equals("address_already_registered");
    if (wasAskedTwice || (registration != null && registration.refuseUpdate(message))) {
      return;
    }
    if (owed.take(message.address)) {
      if (registration != null) {
        // It may be this one's: if not, the node says to this that it is registered.
        registration.register();
      }
    } else if (registration != null) {
      end(registration, new FeedException(message.word, message.message, 0));
      owed.take(registration.filter); // this answer
    } else if (isOfToken(message.word)) {
      onToken(message.word, message.message);
    }
  }

  /** Whether a refusal without an address is one of a token. */
  private boolean isOfToken(String word) {
    boolean isAwaited = renewal != null && renewal.isInFlight();
    return word.startsWith("token_")
        || word.equals("keys_awaited")
        || (word.equals("invalid_header") && isAwaited);
  }

  private void onToken(String reason, String message) {
    if (renewal != null) {
      renewal.answered(reason.isEmpty());
    }
    Registration.call(told -> settings.onToken.accept(reason, message), reason);
  }

  /** Notices a node that is connected and says nothing. */
  private void watch(int which) {
    if (which != current) {
      return;
    }
    watchLater(which);
    long now = System.nanoTime();
    long waitedMs = isPinged ? TimeUnit.NANOSECONDS.toMillis(now - pingedNanos) : 0;
    if (waitedMs > DEAD_MS) {
      ended(current, End.lost("no answer"));
    } else if (waitedMs > SILENT_MS && connection.state() == Connection.State.LIVE) {
      enter(Connection.State.SILENT, End.lost(""), 0);
    } else if (!isPinged && TimeUnit.NANOSECONDS.toMillis(now - heardNanos) >= PING_MS) {
      isPinged = true;
      pingedNanos = now;
      say("{\"type\":\"ping\"}");
    }
  }

  /** A connection is lost, or did not come about. The next try is at the next node of the list. */
  private void ended(int which, End end) {
    if (which != current || connection.state() == Connection.State.CLOSED) {
      return;
    }
    if (end.isFinal()) {
      shut(end, false);
      return;
    }
    release();
    long delayMs = end.delayMs(attempt, ThreadLocalRandom.current().nextDouble());
    attempt++;
    enter(Connection.State.WAITING, end, delayMs);
    current++;
    retry = thread.schedule(this::open, delayMs, TimeUnit.MILLISECONDS);
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel(false);
    }
  }

  private void release() {
    if (renewal != null) {
      renewal.stop();
      renewal = null;
    }
    if (channel != null && socket != null) {
      channel.close(socket);
    }
    channel = null;
    socket = null;
  }

  private void shut(End end, boolean isOwnWish) {
    if (connection.state() == Connection.State.CLOSED) {
      return;
    }
    release();
    cancelRetry();
    enter(Connection.State.CLOSED, end, 0);
    current++;
    String reason = end.reason().isEmpty() ? "closed" : end.reason();
    FeedException failure = new FeedException(reason, end.message(), end.code());
    List<Registration> all = new ArrayList<>(registrations.values());
    registrations.clear();
    all.forEach(each -> each.end(isOwnWish ? null : failure));
  }
}
