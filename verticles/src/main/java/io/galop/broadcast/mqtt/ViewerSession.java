package io.galop.broadcast.mqtt;

import io.galop.record.TopicFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a client besides its connection: its subscriptions, each with the Positions that
 * it has reached. No record waits here for a client that is away; the ring has what it missed, or
 * the owners have. Used by one event loop at a time.
 */
final class ViewerSession {
  private record Words(TopicFilter filter, MqttSubscription subscription) {}

  private final Map<String, MqttSubscription> subscriptions = new LinkedHashMap<>();
  private final Map<String, Words> words = new LinkedHashMap<>();

  /** Whether all of its records are the same bytes as everybody's. */
  private boolean isPlain = true;

  @Nullable MqttSubscription get(String filter) {
    return subscriptions.get(filter);
  }

  void put(String filter, MqttSubscription subscription) {
    subscriptions.put(filter, subscription);
    look();
  }

  /** A filter of topics of Galop's own, on which the words about the feed come. */
  void putWords(TopicFilter filter, MqttSubscription subscription) {
    words.put(filter.toString(), new Words(filter, subscription));
    look();
  }

  /** How many filters of Galop's own topics there are. */
  int wordFilters() {
    return words.size();
  }

  /** Ends a subscription; returns whether there was one. */
  boolean remove(String filter) {
    boolean isThere = subscriptions.remove(filter) != null | words.remove(filter) != null;
    look();
    return isThere;
  }

  /** To be called when a subscription has changed. */
  void look() {
    isPlain =
        words.isEmpty() && subscriptions.values().stream().allMatch(MqttSubscription::isPlain);
  }

  boolean isPlain() {
    return isPlain;
  }

  /** How it wants the words of a topic; null if it does not. */
  @Nullable MqttSubscription words(String topic) {
    for (Words each : words.values()) {
      if (each.filter.matches(topic)) {
        return each.subscription;
      }
    }
    return null;
  }

  /** By filter, without those of Galop's own topics. */
  Map<String, MqttSubscription> subscriptions() {
    return Map.copyOf(subscriptions);
  }

  /** How much is kept of it: one for each filter and each Position. */
  int weight() {
    return words.size() + subscriptions.values().stream().mapToInt(MqttSubscription::weight).sum();
  }

  boolean isEmpty() {
    return subscriptions.isEmpty() && words.isEmpty();
  }
}
