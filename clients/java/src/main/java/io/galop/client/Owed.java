package io.galop.client;

import java.util.HashMap;
import java.util.Map;

/**
 * How many refusals may still come of registrations that have ended, for each filter and over one
 * connection. A refusal names the filter only. The node answers in the order in which it is asked,
 * so these come first. It may be more than come: of what is accepted and ended at once the node
 * says nothing. On the client's thread alone.
 */
final class Owed {
  /** Of more, answers that are still on their way may end the next registration of the filter. */
  private static final int MAX_FILTERS = 1_000;

  private final Map<String, Integer> counts = new HashMap<>();

  void add(String filter, int count) {
    if (count == 0) {
      return;
    }
    if (!counts.containsKey(filter) && counts.size() >= MAX_FILTERS) {
      counts.clear();
    }
    counts.merge(filter, count, Integer::sum);
  }

  /** Whether a refusal may be an earlier registration's; one less is owed then. */
  boolean take(String filter) {
    Integer count = counts.remove(filter);
    if (count != null && count > 1) {
      counts.put(filter, count - 1);
    }
    return count != null;
  }

  /** The registration of now is accepted: what was refused before has been said. */
  void forget(String filter) {
    counts.remove(filter);
  }

  /** Another connection. */
  void clear() {
    counts.clear();
  }
}
