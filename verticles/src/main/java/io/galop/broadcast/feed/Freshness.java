package io.galop.broadcast.feed;

import io.galop.broadcast.ring.Entry;
import io.galop.config.broadcast.FreshnessConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Which topics have been silent for longer than they may be. A record costs one look into a map;
 * when a topic falls due is looked at once in each of its times, in a timing wheel (Varghese and
 * Lauck 1987). All on the feed loop; times are those of {@link System#nanoTime}.
 */
final class Freshness {
  /** So many words of silence are said in one step; the others are said in the next one. */
  static final int MAX_WORDS = 2000;

  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BUCKETS = 1024;
  private static final int NOWHERE = -1;

  /** Beyond it what is not watched is looked for again: costs time, never correctness. */
  private static final int MAX_UNMATCHED = 100_000;

  private record Rule(TopicFilter filter, long maxAgeNanos) {}

  private List<Rule> rules;
  private boolean hasChanged;
  private final int maxTopics;
  private final Map<String, Watched> watched = new HashMap<>();
  private final Map<String, Watched> stale = new LinkedHashMap<>();
  private final Silences silences = new Silences();
  private final Set<String> unmatched = new HashSet<>();
  private final List<List<Watched>> wheel = new ArrayList<>();
  private final ForgottenTopics everForgotten;
  private List<String> forgotten = new ArrayList<>();
  private long unwatched;
  private int staleDrills;
  private long step;

  private static final class Watched {
    final String topic;
    final int shard;
    long maxAgeNanos;
    long originNanos;
    boolean isStale;

    /** Where it is looked at; in other buckets it is passed over. */
    int bucket = NOWHERE;

    Watched(Entry entry, long maxAgeNanos, long originNanos) {
      this.topic = entry.topic();
      this.shard = entry.shard();
      this.maxAgeNanos = maxAgeNanos;
      this.originNanos = originNanos;
    }

    long deadline() {
      return originNanos + maxAgeNanos;
    }
  }

  /**
   * @param maxTopics how many topics are watched; the longest silent are forgotten first
   */
  Freshness(List<FreshnessConfig> configured, int maxTopics, long nowNanos) {
    this.rules = rules(configured);
    this.maxTopics = maxTopics;
    this.everForgotten = new ForgottenTopics(maxTopics);
    this.step = nowNanos / STEP_NANOS;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      wheel.add(new ArrayList<>());
    }
  }

  private static List<Rule> rules(List<FreshnessConfig> configured) {
    return configured.stream()
        .sorted(Comparator.comparing(FreshnessConfig::maxAgeMs))
        .map(
            each ->
                new Rule(
                    TopicFilter.parse(each.filter(), each.filter().length() * 4),
                    TimeUnit.MILLISECONDS.toNanos(each.maxAgeMs())))
        .toList();
  }

  /**
   * Goes by other rules from now on, save for the topics that are watched already: these have to be
   * given to {@link #watchAnew}, and then what is known to {@link #known}.
   *
   * @return the topics that are watched already
   */
  List<String> change(List<FreshnessConfig> configured) {
    rules = rules(configured);
    hasChanged = true;
    unmatched.clear();
    return List.copyOf(watched.keySet());
  }

  /** Has topics go by the present rules; returns the words that some are silent no more. */
  List<Entry> watchAnew(List<String> topics, long nowNanos) {
    List<Entry> words = new ArrayList<>();
    for (String name : topics) {
      Watched topic = watched.get(name);
      if (topic != null && isBack(topic, nowNanos)) {
        words.add(Entry.fresh(topic.topic, topic.shard));
      }
    }
    return words;
  }

  /**
   * Watches topics that the rules mean now, by their latest records; returns the words that some
   * are silent no more.
   */
  List<Entry> known(List<Entry> latest, long nowNanos) {
    List<Entry> words = new ArrayList<>();
    for (Entry record : latest) {
      if (!watched.containsKey(record.topic())
          && watch(record, record.originNanos(nowNanos), nowNanos)) {
        words.add(Entry.fresh(record.topic(), record.shard()));
      }
    }
    return words;
  }

  private boolean isBack(Watched topic, long nowNanos) {
    boolean wasStale = topic.isStale;
    Optional<Rule> rule = rule(topic.topic);
    if (rule.isEmpty()) {
      topic.bucket = NOWHERE;
      watched.remove(topic.topic);
      isNoMoreStale(topic);
      return wasStale;
    }
    topic.maxAgeNanos = rule.get().maxAgeNanos;
    if (wasStale && topic.deadline() <= nowNanos) {
      isSilent(topic, nowNanos);
      return false;
    }
    isNoMoreStale(topic);
    schedule(topic, nowNanos);
    return wasStale;
  }

  /** Those of drills are silent on purpose. */
  private void isSilent(Watched topic, long nowNanos) {
    if (!Topic.isDrill(topic.topic)) {
      silences.begin(topic.topic, topic.originNanos, topic.maxAgeNanos, nowNanos);
    }
  }

  private void isNoMoreStale(Watched topic) {
    topic.isStale = false;
    if (stale.remove(topic.topic) != null) {
      silences.end(topic.topic);
      staleDrills -= Topic.isDrill(topic.topic) ? 1 : 0;
    }
  }

  private Optional<Rule> rule(String topic) {
    for (Rule rule : rules) {
      if (rule.filter.matches(topic)) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  /**
   * Takes records; returns them, each word that a topic is back behind what brought it back. A
   * record that was shown before is no sign of life.
   */
  List<Entry> heard(List<Entry> records, long nowNanos) {
    if (rules.isEmpty() && !hasChanged) {
      return records;
    }
    List<Entry> all = new ArrayList<>(records.size());
    for (Entry record : records) {
      all.add(record);
      if (!record.isRepeat() && heard(record, nowNanos)) {
        all.add(Entry.fresh(record.topic(), record.shard()));
      }
    }
    return all;
  }

  /** Takes records that were loaded and are no news; returns the words that topics are back. */
  List<Entry> loaded(List<Entry> records, long nowNanos) {
    return heard(records, nowNanos).stream().filter(entry -> !entry.isRecord()).toList();
  }

  /** Whether the record ends a silence. */
  private boolean heard(Entry record, long nowNanos) {
    long origin = record.originNanos(nowNanos);
    Watched topic = watched.get(record.topic());
    if (topic == null) {
      return watch(record, origin, nowNanos);
    }
    boolean isLater = origin > topic.originNanos;
    topic.originNanos = Math.max(topic.originNanos, origin);
    if (!topic.isStale) {
      return false;
    }
    if (topic.deadline() <= nowNanos) {
      if (isLater) {
        isSilent(topic, nowNanos);
      }
      return false;
    }
    isNoMoreStale(topic);
    schedule(topic, nowNanos);
    return true;
  }

  /** Whether the record ends a silence that was told before the topic was forgotten. */
  private boolean watch(Entry record, long origin, long nowNanos) {
    if (unmatched.contains(record.topic())) {
      return false;
    }
    Optional<Rule> rule = rule(record.topic());
    if (rule.isPresent()) {
      Watched topic = new Watched(record, rule.get().maxAgeNanos, origin);
      add(topic, nowNanos);
      return topic.deadline() > nowNanos && everForgotten.mayHave(topic.topic);
    }
    if (unmatched.size() >= MAX_UNMATCHED) {
      unmatched.clear();
    }
    unmatched.add(record.topic());
    return hasChanged && everForgotten.mayHave(record.topic());
  }

  private void add(Watched topic, long nowNanos) {
    if (watched.size() >= maxTopics && !forgetOne()) {
      unwatched++;
      return;
    }
    watched.put(topic.topic, topic);
    schedule(topic, nowNanos);
  }

  private boolean forgetOne() {
    Iterator<String> longestSilent = stale.keySet().iterator();
    if (!longestSilent.hasNext()) {
      return false;
    }
    String topic = longestSilent.next();
    longestSilent.remove();
    silences.end(topic);
    staleDrills -= Topic.isDrill(topic) ? 1 : 0;
    watched.remove(topic);
    forgotten.add(topic);
    everForgotten.add(topic);
    return true;
  }

  private void schedule(Watched topic, long nowNanos) {
    long due = Math.max(topic.deadline() / STEP_NANOS, Math.max(nowNanos / STEP_NANOS, step)) + 1;
    long latest = step + BUCKETS - 1;
    topic.bucket = Math.floorMod(Math.min(due, latest), BUCKETS);
    wheel.get(topic.bucket).add(topic);
  }

  /** What topics have fallen silent, as words for their browsers. To be called often. */
  List<Entry> tick(long nowNanos) {
    silences.tick(nowNanos);
    List<Entry> words = new ArrayList<>();
    long last = nowNanos / STEP_NANOS;
    step = Math.max(step, last - BUCKETS);
    while (step < last) {
      step++;
      int bucket = Math.floorMod(step, BUCKETS);
      List<Watched> due = wheel.get(bucket);
      if (!due.isEmpty()) {
        wheel.set(bucket, new ArrayList<>());
        for (Watched topic : due) {
          if (topic.bucket == bucket) {
            topic.bucket = NOWHERE;
            look(topic, nowNanos, words);
          }
        }
      }
    }
    return words;
  }

  private void look(Watched topic, long nowNanos, List<Entry> words) {
    if (topic.deadline() > nowNanos || words.size() >= MAX_WORDS) {
      schedule(topic, nowNanos);
      return;
    }
    topic.isStale = true;
    stale.put(topic.topic, topic);
    isSilent(topic, nowNanos);
    staleDrills += Topic.isDrill(topic.topic) ? 1 : 0;
    words.add(Entry.stale(topic.topic, topic.shard, topic.originNanos));
  }

  /** The words for who begins to listen. */
  List<Entry> words() {
    return stale.values().stream()
        .map(topic -> Entry.stale(topic.topic, topic.shard, topic.originNanos))
        .toList();
  }

  /** The {@code count} of topics that fell silent of late, some of them, and who is for long. */
  JsonObject silent(int most, long nowNanos) {
    JsonArray topics = new JsonArray();
    for (Silences.Silence one : silences.latest(most)) {
      topics.add(new JsonObject().put("topic", one.topic()).put("silentMs", one.ageMs(nowNanos)));
    }
    return new JsonObject()
        .put("count", silences.size())
        .put("topics", topics)
        .put("forLong", staleTopics() - silences.size());
  }

  /** Topics that are silent and no longer watched since the last call. */
  List<String> forgotten() {
    List<String> taken = forgotten;
    forgotten = taken.isEmpty() ? taken : new ArrayList<>();
    return taken;
  }

  /** Without those of drills, which are silent on purpose. */
  int staleTopics() {
    return stale.size() - staleDrills;
  }

  /** How often a topic could not be watched, since none of the others is silent. */
  long unwatched() {
    return unwatched;
  }
}
