package io.galop.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What is wanted of a filter: {@code SubscribeOptions.create().snapshot()}. Each method gives a
 * changed copy. Callbacks run on the client's own thread and must not block; what they throw is
 * logged.
 */
public final class SubscribeOptions {
  private static final int USUAL_MAX_QUEUE = 10_000;
  private static final SubscribeOptions USUAL =
      new SubscribeOptions(
          Map.of("words", true, "deltas", true),
          USUAL_MAX_QUEUE,
          QueuePolicy.END,
          status -> {},
          age -> {},
          caps -> {});

  private final Map<String, Object> headers;
  final int maxQueue;
  final QueuePolicy policy;
  final Consumer<Status> onStatus;
  final Consumer<TopicAge> onTopic;
  final Consumer<Caps> onCapped;

  private SubscribeOptions(
      Map<String, Object> headers,
      int maxQueue,
      QueuePolicy policy,
      Consumer<Status> onStatus,
      Consumer<TopicAge> onTopic,
      Consumer<Caps> onCapped) {
    this.headers = headers;
    this.maxQueue = maxQueue;
    this.policy = policy;
    this.onStatus = onStatus;
    this.onTopic = onTopic;
    this.onCapped = onCapped;
  }

  /** Every record, no snapshot, deltas, and a queue of 10,000 with {@link QueuePolicy#END}. */
  public static SubscribeOptions create() {
    return USUAL;
  }

  private SubscribeOptions with(String name, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(headers);
    changed.put(name, value);
    return new SubscribeOptions(changed, maxQueue, policy, onStatus, onTopic, onCapped);
  }

  /** First the latest record of each topic. */
  public SubscribeOptions snapshot() {
    return with("snapshot", true);
  }

  /** The node sends only the newest of each topic while the connection is behind. */
  public SubscribeOptions latest() {
    return with("mode", "latest");
  }

  /** Most records per second and topic; of the others the node keeps only the newest. */
  public SubscribeOptions maxRate(double perSecond) {
    return with("maxRate", perSecond);
  }

  /**
   * Most bytes of records per second, for all of the client's subscriptions that have such a limit
   * together; of what is more the node sends only the newest of each topic.
   */
  public SubscribeOptions maxBytesPerSecond(long bytes) {
    return with("maxBytesPerSecond", bytes);
  }

  /** Whether the node may send of a record only what is different to the last of its topic. */
  public SubscribeOptions deltas(boolean areRead) {
    return with("deltas", areRead);
  }

  /** Only records of which this expression in CEL is true, such as {@code data.odds < 3.0}. */
  public SubscribeOptions where(String expression) {
    return with("where", expression);
  }

  /** Only these fields of the data. */
  public SubscribeOptions fields(String... names) {
    return with("fields", String.join(",", List.of(names)));
  }

  /**
   * What may wait for the program.
   *
   * @throws IllegalArgumentException if {@code maxRecords} is less than 1
   */
  public SubscribeOptions queue(int maxRecords, QueuePolicy whenFull) {
    if (maxRecords < 1) {
      throw new IllegalArgumentException("maxRecords must be at least 1, not " + maxRecords);
    }
    return new SubscribeOptions(headers, maxRecords, whenFull, onStatus, onTopic, onCapped);
  }

  /** Is told how far the records can be believed, each time that this changes. */
  public SubscribeOptions onStatus(Consumer<Status> listener) {
    return new SubscribeOptions(headers, maxQueue, policy, listener, onTopic, onCapped);
  }

  /** Is told of topics that are silent for too long, or are back. */
  public SubscribeOptions onTopic(Consumer<TopicAge> listener) {
    return new SubscribeOptions(headers, maxQueue, policy, onStatus, listener, onCapped);
  }

  /** Is told what operators' caps leave of it, when that changes. */
  public SubscribeOptions onCapped(Consumer<Caps> listener) {
    return new SubscribeOptions(headers, maxQueue, policy, onStatus, onTopic, listener);
  }

  /** A new map of the headers with which a filter is registered. */
  Map<String, Object> headers() {
    return new LinkedHashMap<>(headers);
  }
}
