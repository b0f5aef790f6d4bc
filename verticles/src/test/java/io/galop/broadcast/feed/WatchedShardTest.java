package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.bus.Errand.Want;
import io.galop.bus.Push;
import io.galop.config.ConfigLoader;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A shard of a relay that is sent what is watched, against a model: an owner's log, two links that
 * hear late what is wanted, viewers who come and go, values that are answered late, ways that
 * change, and links that forget. What counts as covered has all, and its newest values.
 */
class WatchedShardTest {
  private static final int SEEDS = 200;
  private static final int STEPS = 300;
  private static final long HOLD_NANOS = 40;
  private static final int MOST_FILTERS = 4;
  private static final List<TopicFilter> FILTERS =
      List.of("a/1", "a/2", "a/+", "b/1", "b/#", "#", "c").stream()
          .map(text -> TopicFilter.parse(text, 9))
          .toList();
  private static final List<String> TOPICS = List.of("a/1", "a/2", "a/3", "b/1", "b/1/2", "c");

  /** One end inside: what it has heard, and what is on its way to it. */
  private static final class Inside {
    private final Deque<Want> coming = new ArrayDeque<>();

    /** Null: everything. */
    private Want heard;

    /** Of a version that sends everything, and is not asked for a part. */
    private boolean isOld;

    private void hear() {
      coming.removeIf(want -> isOld);
      heard = coming.isEmpty() ? heard : coming.poll();
    }

    private void hearAll() {
      while (!coming.isEmpty()) {
        hear();
      }
    }

    private boolean isPlain() {
      return heard == null || heard.everything();
    }

    private boolean wants(String topic) {
      return isPlain()
          || heard.filters().stream().anyMatch(f -> TopicFilter.parse(f, 9).matches(topic));
    }
  }

  /** A question for values, answered when the owner comes to it. */
  private record Asked(ShardCover.Question question, List<TopicFilter> filters) {}

  private static final class Model implements QuietListener {
    private final Random random;
    private final List<String> log = new ArrayList<>();
    private final List<Integer> epochs = new ArrayList<>(); // of each of the log's records
    private final Interest interest = new Interest(MOST_FILTERS, 1000, HOLD_NANOS);
    private final ShardCover cover = ShardCover.watched(0, 1);
    private final ShardView view = new ShardView(0, ConfigLoader.defaults().broadcast(), 1, this);
    private final List<Inside> inside = List.of(new Inside(), new Inside());
    private final Map<TopicFilter, Integer> viewers = new HashMap<>();

    /**
     * From where on those who watch have been told that they have all; until they are told of a
     * gap.
     */
    private final Map<TopicFilter, Long> promised = new HashMap<>();

    private final TreeMap<Long, String> shown = new TreeMap<>();
    private final Deque<Asked> asked = new ArrayDeque<>();
    private int epoch = 1;
    private int way;
    private long now;
    private int reloads;
    private int covered;

    Model(int seed) {
      random = new Random(seed);
      inside.get(1).isOld = seed % 3 == 0;
      look();
      inside.forEach(Inside::hearAll);
      reload();
    }

    private Position at(long offset) {
      return new Position(0, offset == 0 ? 1 : epochs.get((int) offset - 1), offset);
    }

    private void place(String topic) {
      log.add(topic);
      epochs.add(epoch);
    }

    /** The owner dies; its successor has what was pushed, and not all that came after. */
    private void loseOwner() {
      int pushed = (int) view.last().offset();
      int kept = pushed + random.nextInt(log.size() - pushed + 1);
      log.subList(kept, log.size()).clear();
      epochs.subList(kept, epochs.size()).clear();
      epoch++;
    }

    private Record record(long offset) {
      String topic = log.get((int) offset - 1);
      return new Record(
          "r" + offset, topic, offset, ("{\"n\":" + offset + "}").getBytes(StandardCharsets.UTF_8));
    }

    private void look() {
      interest
          .next(now, false)
          .ifPresent(
              change -> {
                change.want().ifPresent(want -> inside.forEach(end -> end.coming.add(want)));
                change.dropped().forEach(cover::drop);
                change.added().forEach(filter -> cover.want(filter, change.version()));
              });
    }

    private ShardLoad.Loaded values(List<TopicFilter> filters) {
      Map<String, Entry> latest = new HashMap<>();
      for (long offset = 1; offset <= log.size(); offset++) {
        Record record = record(offset);
        if (filters.stream().anyMatch(filter -> filter.matches(record.topic()))) {
          latest.put(record.topic(), Entry.of(at(offset), record));
        }
      }
      List<Entry> entries = new ArrayList<>(latest.values());
      entries.sort(java.util.Comparator.comparing(Entry::position));
      return new ShardLoad.Loaded(at(log.size()), entries, List.of(), true);
    }

    /** Questions go after what was said of wishes, over the same link. */
    private void reload() {
      reloads++;
      promised.clear();
      inside.get(way).hearAll();
      asked.clear();
      ShardCover.Question question = cover.begin();
      boolean isWhole = inside.get(way).isOld;
      List<TopicFilter> loaded = isWhole ? List.of(TopicFilter.parse("#", 9)) : question.filters();
      view.load(values(loaded), Position.none(0), !isWhole);
      cover.begun(question, isWhole);
      shown.clear();
      view.settle();
    }

    private void push(int most) {
      long last = view.last().offset();
      long to = last;
      while (to < Math.min(log.size(), last + most) && at(to + 1).epoch() == at(last + 1).epoch()) {
        to++; // a Batch is of one epoch
      }
      Inside end = inside.get(way);
      List<Record> all = new ArrayList<>();
      List<Placed> kept = new ArrayList<>();
      for (long offset = last + 1; offset <= to; offset++) {
        all.add(record(offset));
        if (end.wants(record(offset).topic())) {
          kept.add(new Placed(at(offset), record(offset)));
        }
      }
      long batchEpoch = at(to).epoch();
      Push push = new Push(1, view.last(), at(log.size()), new Batch(0, batchEpoch, last + 1, all));
      take(end.isPlain() ? push : push.with(new Push.Part(end.heard.version(), at(to), kept)));
    }

    private void take(Push push) {
      long version = push.part() == null ? Long.MAX_VALUE : push.part().version();
      if (!cover.push(version, push.after(), push.upTo())) {
        reload();
        return;
      }
      view.add(push);
      view.settle();
      assertEquals(push.upTo(), view.last(), "what is left out moves the Position");
      cover.askAgain();
      ask();
      cover.reach(view.last());
    }

    private void ask() {
      ShardCover.Question question = cover.ask();
      if (question != null && inside.get(way).isOld) {
        reload();
      } else if (question != null) {
        asked.add(new Asked(question, question.filters()));
      }
    }

    private void answer() {
      Asked one = asked.poll();
      if (one == null) {
        return;
      }
      ShardLoad.Loaded loaded = values(one.filters());
      if (random.nextInt(5) == 0) {
        cover.fail(one.question());
      } else if (cover.answer(one.question(), loaded.head(), loaded.end())) {
        view.loadMore(one.filters(), loaded);
        cover.reach(view.last());
      }
    }

    private void step() {
      now++;
      TopicFilter filter = FILTERS.get(random.nextInt(FILTERS.size()));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> place(TOPICS.get(random.nextInt(TOPICS.size())));
        case 3, 4 -> push(random.nextInt(4));
        case 5 -> join(filter);
        case 6 -> leave(filter);
        case 7 -> look();
        case 8 -> inside.get(random.nextInt(2)).hear();
        case 9 -> answer();
        case 10 -> changeWay();
        default -> {
          if (random.nextInt(20) == 0) {
            reload();
          } else if (random.nextInt(3) == 0) {
            loseOwner();
          }
        }
      }
      check();
    }

    private void join(TopicFilter filter) {
      if (viewers.merge(filter, 1, Integer::sum) == 1) {
        interest.watch(filter);
      }
    }

    private void leave(TopicFilter filter) {
      Integer count = viewers.get(filter);
      if (count != null && viewers.merge(filter, -1, Integer::sum) == 0) {
        viewers.remove(filter);
        promised.remove(filter);
        interest.unwatch(filter, now);
      }
    }

    /** Most links have heard all when they are followed; one that has not must be noticed. */
    private void changeWay() {
      way = 1 - way;
      if (random.nextInt(3) > 0) {
        inside.get(way).hearAll();
      }
    }

    private void check() {
      for (TopicFilter filter : FILTERS) {
        Position from = cover.from(filter);
        if (from != null) {
          covered++;
          check(filter, from.offset());
          if (viewers.containsKey(filter)) {
            promised.putIfAbsent(filter, from.offset());
          }
        }
      }
      promised.forEach(this::checkShown);
    }

    private void checkShown(TopicFilter filter, long from) {
      for (long offset = from + 1; offset <= view.last().offset(); offset++) {
        if (filter.matches(record(offset).topic())) {
          assertTrue(shown.containsKey(offset), filter + " from " + from + " lacks " + offset);
        }
      }
    }

    private void check(TopicFilter filter, long from) {
      checkShown(filter, from);
      List<Entry> values = new ArrayList<>();
      view.latest().addMatching(filter, values);
      Map<String, Position> newest = new HashMap<>();
      for (long offset = 1; offset <= view.last().offset(); offset++) {
        if (filter.matches(record(offset).topic())) {
          newest.put(record(offset).topic(), at(offset));
        }
      }
      Map<String, Position> have = new HashMap<>();
      values.forEach(entry -> have.put(entry.topic(), entry.position()));
      assertEquals(newest, have, () -> "last values of " + filter);
      for (int i = 1; i < values.size(); i++) {
        assertTrue(values.get(i - 1).position().compareTo(values.get(i).position()) < 0);
      }
    }

    /** When all is still, whoever waits is answered. */
    private void settle() {
      look();
      for (int turn = 0; turn < 20; turn++) {
        inside.forEach(Inside::hearAll);
        push(1000);
        cover.askAgain();
        ask();
        check();
        while (!asked.isEmpty()) {
          Asked one = asked.poll();
          ShardLoad.Loaded loaded = values(one.filters());
          if (cover.answer(one.question(), loaded.head(), loaded.end())) {
            view.loadMore(one.filters(), loaded);
          }
        }
        cover.reach(view.last());
      }
      check();
      viewers.keySet().forEach(filter -> assertNotNull(cover.from(filter), filter + " waits"));
    }

    @Override
    public Future<Void> onRecords(List<Entry> entries) {
      entries.forEach(entry -> shown.put(entry.position().offset(), entry.topic()));
      return Future.succeededFuture();
    }

    @Override
    public void onLoaded(int shard, Position upTo) {
      shown.clear();
    }

    @Override
    public void onGap(int shard, Position upTo) {
      shown.clear();
    }
  }

  @Test
  void whatIsCoveredIsWholeAndWhoWaitsIsAnswered() {
    int covered = 0;
    int reloads = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Model model = new Model(seed);
      try {
        for (int i = 0; i < STEPS; i++) {
          model.step();
        }
        model.settle();
      } catch (AssertionError failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
      covered += model.covered;
      reloads += model.reloads;
    }
    assertTrue(covered > SEEDS * STEPS / 4, "the model looks at little: " + covered);
    assertTrue(reloads > SEEDS, "no link was ever behind: " + reloads);
  }
}
