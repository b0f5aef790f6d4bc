package io.galop.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One filter as it is registered: its Positions, how far its records can be believed, and the
 * wishes that were changed. On the client's thread alone, but for the status.
 */
final class Registration {
  private static final System.Logger LOG = System.getLogger("io.galop.client");

  final String filter;
  final RecordQueue queue;
  private final SubscribeOptions options;
  private final Consumer<String> say;
  private final Runnable onEnd;
  private final Map<Integer, Position> positions = new LinkedHashMap<>();
  private Map<String, Object> headers;
  private volatile Status status = Status.of(Status.State.JOINING, "");
  private volatile Caps caps = Caps.NONE;
  private boolean areCapsTold;
  private @Nullable Update update;

  /**
   * Whether the node was asked for the update over this connection: what it refuses may be that.
   */
  private boolean isUpdateSaid;

  /** Said over this connection since the node last told that it is live. */
  private int unansweredRegisters;

  private boolean isSettled;
  private boolean isCatchingUp = true;

  /** A resume has been asked for, and not been answered. */
  private boolean isResuming;

  private boolean isCutOff;
  private boolean isConnected;
  private boolean wasConnected;
  private boolean isAfterGap;

  /**
   * @param say sends a text over the connection, if there is one
   * @param onEnd is told before anybody else that it is over
   */
  Registration(
      String filter,
      SubscribeOptions options,
      RecordQueue queue,
      Consumer<String> say,
      Runnable onEnd) {
    this.filter = filter;
    this.options = options;
    this.queue = queue;
    this.say = say;
    this.onEnd = onEnd;
    this.headers = options.headers();
  }

  /** For any thread. */
  Status status() {
    return status;
  }

  /** For any thread. */
  Caps caps() {
    return caps;
  }

  /**
   * Resumes from the Positions, unless the first snapshot is not over: topics beyond it would be
   * missed. Without a snapshot an empty {@code since} asks for the Positions of now.
   */
  void register() {
    Map<String, Object> all = new LinkedHashMap<>(headers);
    isUpdateSaid = false; // it is said again when the registration is live
    unansweredRegisters++;
    if (isSettled || !all.containsKey("snapshot")) {
      StringJoiner since = new StringJoiner(",");
      positions.values().forEach(position -> since.add(position.toString()));
      all.put("since", since.toString());
    } else {
      positions.clear();
    }
    isResuming = !all.getOrDefault("since", "").equals("");
    isCatchingUp = true;
    areCapsTold = false;
    say.accept(Json.write(Map.of("type", "register", "address", filter, "headers", all)));
  }

  private void advance(String text) {
    Position.parse(text)
        .ifPresent(
            position ->
                positions.merge(
                    position.shard(), position, (old, now) -> now.compareTo(old) > 0 ? now : old));
  }

  /** False if the queue is full and the subscription has to end. */
  boolean onRecord(Message message) {
    RecordQueue.Put put = queue.put(message.record(isCatchingUp, isAfterGap));
    if (put == RecordQueue.Put.FULL) {
      return false;
    }
    advance(message.pos);
    isAfterGap = false;
    if (put == RecordQueue.Put.GAP) {
      tell(Status.of(Status.State.GAP, "slow_consumer"));
      restate();
    }
    return true;
  }

  /** What is no record: resumed, live, stale, fresh, capped, updated. */
  void onWord(Message message) {
    switch (message.type) {
      case "resumed" -> onResumed(message.isComplete);
      case "live" -> onLive(message);
      case "capped" -> onCaps(message.caps());
      case "updated" -> updated(message.caps());
      case "stale", "fresh" -> onAge(message);
      default -> {}
    }
  }

  private void onCaps(Caps now) {
    areCapsTold = true;
    if (!now.equals(caps)) {
      caps = now;
      call(options.onCapped, now);
    }
  }

  private void onAge(Message message) {
    boolean isStale = message.type.equals("stale");
    if (message.topic.isEmpty()) {
      isCutOff = isStale;
      restate();
    } else {
      call(options.onTopic, new TopicAge(message.topic, isStale));
    }
  }

  /**
   * Incomplete: a snapshot follows, of all shards if a resume is answered, else of the shard with
   * the gap.
   */
  private void onResumed(boolean isComplete) {
    boolean isAnswer = isResuming;
    isResuming = false;
    if (isComplete) {
      return;
    }
    if (isAnswer) {
      positions.clear();
    }
    isCatchingUp = true;
    isSettled = false;
    isAfterGap = true;
    tell(Status.of(Status.State.GAP, "lost"));
  }

  private void onLive(Message message) {
    for (String position : message.pos.split(",")) {
      advance(position);
    }
    isCatchingUp = false;
    isResuming = false;
    isSettled = true;
    unansweredRegisters = 0;
    if (!areCapsTold) {
      onCaps(Caps.NONE); // a new connection, or node, would have told of caps before
    }
    if (message.isPartial) {
      tell(Status.of(Status.State.GAP, "partial"));
    }
    restate();
    sayUpdate();
  }

  void connected(boolean isNow, boolean isLost) {
    if (isLost) {
      // A new connection says anew whether the feed behind the node is cut off.
      isCutOff = false;
      unansweredRegisters = 0;
    }
    wasConnected |= isNow;
    isConnected = isNow;
    restate();
    sayUpdate();
  }

  private void restate() {
    Status now;
    if (isCutOff) {
      now = Status.of(Status.State.STALE, "feed");
    } else if (wasConnected && !isConnected) {
      now = Status.of(Status.State.STALE, "connection");
    } else {
      now = Status.of(isCatchingUp ? Status.State.JOINING : Status.State.LIVE, "");
    }
    if (!now.equals(status)) {
      tell(now);
    }
  }

  private void tell(Status now) {
    if (status.state() != Status.State.CLOSED) {
      status = now;
      call(options.onStatus, now);
    }
  }

  static <T> void call(Consumer<T> listener, T what) {
    try {
      listener.accept(what);
    } catch (RuntimeException fault) {
      LOG.log(System.Logger.Level.ERROR, "a listener failed; the feed goes on", fault);
    }
  }

  /** Ends it; null if that is the program's own wish. */
  void end(@Nullable FeedException failure) {
    onEnd.run();
    if (update != null) {
      FeedException why = failure == null ? new FeedException("closed", "it is over", 0) : failure;
      update.done().completeExceptionally(why);
      update = null;
    }
    Status end = Status.of(Status.State.CLOSED, "");
    if (failure != null) {
      String message = String.valueOf(failure.getMessage());
      end = new Status(Status.State.CLOSED, failure.reason(), message, failure.code());
    }
    tell(end); // before the queue: whoever hears of its end finds the status closed
    queue.end(failure);
  }

  /** Asks for other wishes at once, or when the registration is answered. */
  void update(Update wanted) {
    if (status.state() == Status.State.CLOSED || update != null) {
      String reason = update == null ? "closed" : "update_pending";
      wanted
          .done()
          .completeExceptionally(
              new FeedException(reason, "'" + filter + "' takes no update now", 0));
      return;
    }
    update = wanted;
    isUpdateSaid = false;
    sayUpdate();
  }

  /** If one waits, and the node can answer it now; else it is said when the node can. */
  private void sayUpdate() {
    if (update != null && !isUpdateSaid && isConnected && !isCatchingUp) {
      isUpdateSaid = true;
      Map<String, Object> headers = update.wishes().headers();
      say.accept(Json.write(Map.of("type", "update", "address", filter, "headers", headers)));
    }
  }

  /** How many refusals of it, and of its update, may be on their way. */
  int unanswered() {
    return unansweredRegisters + (update != null && isUpdateSaid ? 1 : 0);
  }

  private void updated(Caps now) {
    if (update != null && isUpdateSaid) { // else it is of an earlier one of this filter
      onCaps(now);
      headers = update.applied(headers);
      update.done().complete(null);
      update = null;
    }
  }

  /**
   * Whether what the node refuses is an update, maybe an earlier one's: then all stays as it was.
   */
  boolean refuseUpdate(Message refusal) {
    if (!Update.isRefusal(refusal.word)) {
      return false;
    }
    if (update == null || !isUpdateSaid) {
      return refusal.word.equals("not_registered");
    }
    update.done().completeExceptionally(new FeedException(refusal.word, refusal.message, 0));
    update = null;
    return true;
  }
}
