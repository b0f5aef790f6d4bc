package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the registrations of one event loop are told beside the records that come: the answer with
 * which they begin, which topics are silent and which shards cut off, and what makes up for a gap.
 * On the Hub's event loop.
 */
final class CatchUp {
  private final FilterIndex filters;
  private final StaleShards staleShards;
  private final SilentTopics silent = new SilentTopics();

  /** By filter; empty where nobody asks for it. */
  private final Map<String, Set<Registration>> watched = new HashMap<>();

  private final boolean isWatched;

  /** Who wants to know the filters that are watched; null: not yet. */
  private @Nullable BiConsumer<String, Boolean> watcher;

  /**
   * @param isWatched whether the feed asks for the filters that are watched
   */
  CatchUp(int shards, FilterIndex filters, boolean isWatched) {
    this.isWatched = isWatched;
    this.filters = filters;
    this.staleShards = new StaleShards(shards, filters);
  }

  /**
   * These shards are cut off as the Hub begins to listen.
   *
   * @param watching is told each filter that comes to be watched, and that is no more
   */
  void begin(BitSet stale, BiConsumer<String, Boolean> watching) {
    staleShards.begin(stale);
    watcher = watching;
    watched.keySet().forEach(filter -> watching.accept(filter, true));
  }

  private void watch(Registration registration) {
    if (isWatched) {
      String filter = registration.filter().toString();
      Set<Registration> known = watched.computeIfAbsent(filter, text -> new HashSet<>());
      if (known.add(registration) && known.size() == 1 && watcher != null) {
        watcher.accept(filter, true);
      }
    }
  }

  private void unwatch(Registration registration) {
    String filter = registration.filter().toString();
    Set<Registration> known = watched.get(filter);
    if (known != null && known.remove(registration) && known.isEmpty()) {
      watched.remove(filter);
      if (watcher != null) {
        watcher.accept(filter, false);
      }
    }
  }

  /** A shard has become stale or fresh. */
  void stale(int shard, boolean isStale) {
    staleShards.change(shard, isStale);
  }

  /** Takes the word that a topic is silent, or back. */
  void take(Entry word) {
    silent.take(word);
  }

  /** These topics are no longer watched. */
  void forget(List<String> topics) {
    silent.forget(topics);
  }

  /** A record from before the present, or a word, as it is to be sent now. */
  Frame past(FilterGroup group, Entry entry) {
    return entry.isRecord() ? group.past(entry, silent.has(entry.topic())) : group.frame(entry);
  }

  /** What a registration has to be told behind what it is sent from before the present. */
  Optional<Frame> behindThePast(Registration registration) {
    return staleShards.behindThePast(registration);
  }

  /** The registration has asked for a snapshot, or for what it missed. */
  void await(Registration registration) {
    staleShards.await(registration);
    watch(registration);
  }

  /** How many viewers watch something of a filter; see {@link Viewership#count}. */
  int viewers(String filter, int most) {
    TopicFilter asked = TopicFilter.parse(filter, Integer.MAX_VALUE);
    return Viewership.count(asked, filters.overlapping(asked), staleShards.waiting(), most);
  }

  /** The registration waits for nothing any more. */
  void forget(Registration registration) {
    staleShards.forget(registration);
    unwatch(registration);
  }

  /** The registration gets records from now on, the next of which has this number. */
  void register(Registration registration, long tail) {
    watch(registration);
    registration.notBefore(tail);
    enter(registration, tail);
    List<Entry> words = words(registration);
    if (!words.isEmpty()) {
      registration.receiver().precede(registration, words, tail);
    }
  }

  /** What it has to be told of silent topics. */
  private List<Entry> words(Registration registration) {
    return registration.hearsWords() ? silent.of(registration.filter()) : List.of();
  }

  private void enter(Registration registration, long tail) {
    FilterGroup group = filters.groupOf(registration.filter(), registration.selection());
    registration.join(group);
    registration.liveFrom(tail);
    staleShards.enter(registration);
  }

  /**
   * The registration gets its answer, and records from there on. If it cannot be given its answer,
   * its connection ends: it would wait for ever, and what the answer holds would stay charged.
   */
  void joined(Registration registration, Joined joined, long tail) {
    if (registration.isEnded() || registration.receiver().isEnded()) {
      joined.release().run();
      return;
    }
    try {
      answer(registration, joined, tail);
    } catch (RuntimeException | OutOfMemoryError fault) {
      joined.release().run();
      registration.failed(fault);
    }
  }

  private void answer(Registration registration, Joined joined, long tail) {
    RecordReceiver receiver = registration.receiver();
    TopicFilter filter = registration.filter();
    boolean mayLack = mayLack(joined, registration);
    if (registration.isInGroup()) {
      if (mayLack) {
        registration.tell(ControlFrames.resumed(filter, false));
      }
      joined.heads().forEach(registration.positions()::shownAgain);
      receiver.makeUp(registration, joined);
      return;
    }
    String refusal = filters.refusal(registration.selection()); // others may have come meanwhile
    if (!refusal.isEmpty()) {
      joined.release().run();
      registration.takeBack("max_handlers_reached", refusal);
      return;
    }
    enter(registration, tail);
    registration.positions().seen(joined.seen());
    joined
        .complete()
        .ifPresent(is -> registration.tell(ControlFrames.resumed(filter, is && !mayLack)));
    boolean isSnapshot = registration.isConflating() || !joined.complete().orElse(false);
    receiver.join(registration, joined, isSnapshot ? List.of() : words(registration));
  }

  /**
   * Whether a snapshot may lack what a registration wants: of a topic the latest record is there,
   * which its condition may not want, but not the one before.
   */
  private static boolean mayLack(Joined snapshot, Registration registration) {
    return registration.isConflating()
        && registration.selection().where().isPresent()
        && !snapshot.entries().isEmpty();
  }

  /**
   * Records of a shard up to a Position are missing; its latest make up for them, perhaps partly.
   */
  void gap(Position upTo, List<Entry> latest, boolean partial, long tail) {
    for (FilterGroup group : filters.touching(upTo.shard())) {
      List<Entry> entries = latest.stream().filter(e -> group.filter().matches(e.topic())).toList();
      group.forEach(registration -> gap(registration, upTo, entries, partial, tail));
    }
  }

  private static void gap(
      Registration registration, Position upTo, List<Entry> entries, boolean partial, long tail) {
    try {
      makeUp(registration, upTo, entries, partial, tail);
    } catch (RuntimeException | OutOfMemoryError fault) {
      registration.failed(fault);
    }
  }

  private static void makeUp(
      Registration registration, Position upTo, List<Entry> entries, boolean partial, long tail) {
    TopicFilter filter = registration.filter();
    registration.positions().passed(upTo);
    registration.tell(ControlFrames.resumed(filter, false));
    boolean whole = !partial || filter.isExact() && !entries.isEmpty();
    Frame end =
        registration.hearsWords() ? ControlFrames.live(filter, List.of(upTo), !whole) : null;
    registration.receiver().makeUpForGap(registration, upTo.shard(), entries, tail, end);
  }
}
