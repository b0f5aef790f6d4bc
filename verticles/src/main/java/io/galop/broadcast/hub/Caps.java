package io.galop.broadcast.hub;

import io.galop.config.broadcast.CapConfig;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node lets viewers have at most, by topic. Which rate a topic has is looked up once and
 * remembered: topics come again. On one event loop.
 */
public final class Caps {
  /** Beyond it what was found is forgotten and found again: costs time, never correctness. */
  private static final int MAX_REMEMBERED = 100_000;

  private final List<Cap> all;
  private final Map<String, Double> rates = new HashMap<>();

  Caps(List<Cap> all) {
    this.all = List.copyOf(all);
  }

  /** The caps of a configuration. */
  public static Caps of(List<CapConfig> configs) {
    return new Caps(configs.stream().map(Cap::of).toList());
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Those that hold for a topic which a filter may mean. Filters are viewers': none is kept. */
  List<Cap> over(TopicFilter filter) {
    return all.stream().filter(cap -> cap.topics().overlaps(filter)).toList();
  }

  /** Whether one of them has this rate. */
  boolean hasRate(double maxRate) {
    return all.stream().anyMatch(cap -> cap.maxRate() == maxRate);
  }

  /** Most records of a topic per second; 0 is unlimited. */
  Double rate(String topic) {
    if (rates.size() >= MAX_REMEMBERED) {
      rates.clear();
    }
    return rates.computeIfAbsent(topic, this::lowest);
  }

  private double lowest(String topic) {
    return all.stream()
        .filter(cap -> cap.maxRate() > 0 && cap.topics().matches(topic))
        .mapToDouble(Cap::maxRate)
        .min()
        .orElse(0);
  }
}
