package io.galop.enrich;

import io.galop.enrich.step.Scope;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which strand of its shard a raw topic is on: those that may wait for the same steps share one.
 * Follows from the topic and the configuration alone, so that a topic never changes its strand.
 */
final class StrandOfTopic {
  /**
   * So many steps are told apart; those beyond count as one with the last, which bounds strands.
   */
  private static final int MOST_STEPS = 8;

  private final Scope[] scopes;

  /**
   * The strands of a chain.
   *
   * @param late the topics that each step may take its time for. A step that is for all of them
   *     tells none apart
   */
  StrandOfTopic(List<Scope> late) {
    this.scopes = late.stream().filter(scope -> !scope.coversAll()).toArray(Scope[]::new);
  }

  /** How many strands a shard may have. */
  int strands() {
    return 1 << Math.min(scopes.length, MOST_STEPS);
  }

  /** The strand of a topic, from 0. */
  int of(String topic) {
    int strand = 0;
    for (int i = 0; i < scopes.length; i++) {
      if (scopes[i].covers(topic)) {
        strand |= 1 << Math.min(i, MOST_STEPS - 1);
      }
    }
    return strand;
  }

  /** The records of each strand, in their order; at least one strand. */
  Map<Integer, List<Record>> split(List<Record> records) {
    if (scopes.length == 0 || records.isEmpty()) {
      return Map.of(0, records);
    }
    Map<Integer, List<Record>> parts = new LinkedHashMap<>();
    for (Record record : records) {
      parts.computeIfAbsent(of(record.topic()), strand -> new ArrayList<>()).add(record);
    }
    return parts;
  }
}
