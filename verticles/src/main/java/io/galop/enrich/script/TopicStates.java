package io.galop.enrich.script;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a script keeps for each topic. It belongs to the step and not to the script, so it survives
 * the script's end, and one of its successors goes on with it. Bounded: beyond the most topics, the
 * one that was not called for the longest is forgotten. One thread at a time.
 */
public final class TopicStates {
  private static final Logger LOG = LoggerFactory.getLogger(TopicStates.class);

  private final int maxTopics;
  private final Runnable onForgotten;
  private final Map<String, StateMap> topics = new LinkedHashMap<>(16, 0.75f, true);
  private long forgotten;

  /**
   * Empty ones.
   *
   * @param maxTopics how many topics are kept
   * @param onForgotten called for each that is forgotten to make room
   */
  public TopicStates(int maxTopics, Runnable onForgotten) {
    this.maxTopics = maxTopics;
    this.onForgotten = onForgotten;
  }

  /** The topic's state, to be read and changed; empty at first. */
  public StateMap of(String topic) {
    StateMap known = topics.get(topic);
    if (known != null) {
      return known;
    }
    StateMap added = new StateMap(new StateChanges());
    topics.put(topic, added);
    if (topics.size() > maxTopics) {
      forget(topics.keySet().iterator().next());
    }
    return added;
  }

  private void forget(String topic) {
    if (!topics.remove(topic).isEmpty()) {
      forgotten++;
      onForgotten.run();
    }
  }

  /** A deep copy, which changes without this one; what it forgets is not reported. */
  public TopicStates copy() {
    TopicStates copies = new TopicStates(maxTopics, () -> {});
    topics.forEach((topic, state) -> copies.topics.put(topic, copy(state)));
    return copies;
  }

  /** A deep copy of one topic's state, for another to {@link #adopt}; empty if there is none. */
  public Optional<StateMap> copyOf(String topic) {
    return Optional.ofNullable(topics.get(topic)).map(TopicStates::copy);
  }

  /** Takes over a copy as a topic's state; nobody else may use it. */
  public void adopt(String topic, StateMap state) {
    of(topic);
    topics.put(topic, state);
  }

  private static StateMap copy(StateMap state) {
    StateChanges changes = new StateChanges();
    StateCopy copy = new StateCopy(changes, PlainFunction.SAME);
    StateMap to = new StateMap(changes);
    for (Map.Entry<Object, Object> entry : state.entries().entrySet()) {
      try {
        to.keep(entry.getKey(), copy.of(entry.getValue()));
      } catch (ScriptFailure e) {
        LOG.warn(
            "a copy of a script's state goes without '{}', which {}",
            entry.getKey(),
            e.getMessage());
      }
    }
    return to;
  }

  /** The topics that have a state, the one that was not called for the longest first. */
  public Set<String> topics() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(topics.keySet()));
  }

  /** How many topics have a state. */
  public int size() {
    return topics.size();
  }

  /** How many were forgotten to make room. */
  public long forgotten() {
    return forgotten;
  }
}
