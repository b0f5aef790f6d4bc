package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
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
 * the script's end, and one of its successors goes on with it. Bounded: beyond the most topics, or
 * the most bytes of all, those that were not called for the longest are forgotten; a topic whose
 * own state is too large begins again. One thread at a time; {@link #bytes} from any.
 */
public final class TopicStates {
  private static final Logger LOG = LoggerFactory.getLogger(TopicStates.class);

  /** A topic's name, and its place here. */
  private static final int TOPIC_BYTES = 120;

  private final Bounds bounds;
  private final Runnable onForgotten;
  private final Map<String, Kept> topics = new LinkedHashMap<>(16, 0.75f, true);
  private long forgotten;
  private long held;
  private volatile long bytes;

  /**
   * How much is kept.
   *
   * @param maxTopics how many topics
   * @param maxTopicBytes how much for one
   * @param maxBytes how much for all
   */
  public record Bounds(int maxTopics, long maxTopicBytes, long maxBytes) {
    /** Those of a step that is alone in its process, such as one that is tried. */
    public static Bounds of(ScriptConfig config) {
      return new Bounds(config.maxStateTopics(), config.maxTopicStateBytes(), Long.MAX_VALUE);
    }
  }

  /** A topic's state, and what it counts for. */
  private static final class Kept {
    private final StateMap state;
    private long bytes;

    Kept(StateMap state) {
      this.state = state;
    }
  }

  /**
   * Empty ones.
   *
   * @param onForgotten called for each state that is forgotten before its time
   */
  public TopicStates(Bounds bounds, Runnable onForgotten) {
    this.bounds = bounds;
    this.onForgotten = onForgotten;
  }

  /** The topic's state, to be read and changed; empty at first. */
  public StateMap of(String topic) {
    Kept known = topics.get(topic);
    if (known != null) {
      return known.state;
    }
    StateMap added = new StateMap(new StateChanges());
    put(topic, added);
    return added;
  }

  private void put(String topic, StateMap state) {
    state.count();
    Kept kept = new Kept(state);
    kept.bytes =
        StateMeasure.bytes(state, bounds.maxTopicBytes()) + TOPIC_BYTES + 2L * topic.length();
    Kept before = topics.put(topic, kept);
    add(kept.bytes - (before == null ? 0 : before.bytes));
    makeRoom();
  }

  private void add(long more) {
    held += more;
    bytes = held;
  }

  /** The topic that is called now is the last of them. */
  private void makeRoom() {
    while (topics.size() > bounds.maxTopics() || held > bounds.maxBytes() && topics.size() > 1) {
      forget(topics.keySet().iterator().next());
    }
  }

  private void forget(String topic) {
    Kept gone = topics.remove(topic);
    if (gone == null) {
      return;
    }
    add(-gone.bytes);
    if (!gone.state.isEmpty()) {
      forgotten++;
      onForgotten.run();
    }
  }

  /**
   * Counts what a call has left as a topic's state, and keeps to the bounds.
   *
   * @return how large it is if that is too much for one topic, which then has none any more; else 0
   */
  public long settle(String topic) {
    Kept kept = topics.get(topic);
    if (kept == null) { // there was no memory to begin it
      return 0;
    }
    long most = Math.min(bounds.maxTopicBytes(), bounds.maxBytes());
    long size = StateMeasure.bytes(kept.state, most);
    if (size > most) {
      forget(topic);
      return size;
    }
    long now = size + TOPIC_BYTES + 2L * topic.length();
    add(now - kept.bytes);
    kept.bytes = now;
    makeRoom();
    return 0;
  }

  /** How much one topic may keep. */
  public long maxTopicBytes() {
    return Math.min(bounds.maxTopicBytes(), bounds.maxBytes());
  }

  /** How much is kept for all topics, roughly and rather too much. */
  public long bytes() {
    return bytes;
  }

  /** A deep copy, which changes without this one; what it forgets is not reported. */
  public TopicStates copy() {
    TopicStates copies = new TopicStates(bounds, () -> {});
    topics.forEach((topic, kept) -> copies.put(topic, copy(kept.state)));
    return copies;
  }

  /** A deep copy of one topic's state, for another to {@link #adopt}; empty if there is none. */
  public Optional<StateMap> copyOf(String topic) {
    return Optional.ofNullable(topics.get(topic)).map(kept -> copy(kept.state));
  }

  /** Takes over a copy as a topic's state; nobody else may use it. */
  public void adopt(String topic, StateMap state) {
    put(topic, state);
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
            "'{}' is missing in a copy of a script's state: it {}", entry.getKey(), e.getMessage());
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
