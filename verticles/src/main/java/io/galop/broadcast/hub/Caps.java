package io.galop.broadcast.hub;

import io.galop.config.broadcast.CapConfig;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node lets viewers have at most, by topic. Which caps concern a filter or a topic is looked
 * up once and remembered: both come again. On one event loop.
 */
public final class Caps {
  /** Beyond it what was found is forgotten and found again: costs time, never correctness. */
  private static final int MAX_REMEMBERED = 100_000;

  private final List<Cap> all;
  private final Map<String, Double> rates = new HashMap<>();
  private final Map<TopicFilter, List<Cap>> over = new HashMap<>();

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

  /** Those that hold for a topic which a filter may mean. */
  List<Cap> over(TopicFilter filter) {
    if (over.size() >= MAX_REMEMBERED) {
      over.clear();
    }
    return over.computeIfAbsent(
        filter, one -> all.stream().filter(cap -> cap.topics().overlaps(one)).toList());
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
