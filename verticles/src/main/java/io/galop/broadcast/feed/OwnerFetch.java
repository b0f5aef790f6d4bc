package io.galop.broadcast.feed;

import io.galop.broadcast.hub.Budget;
import io.galop.broadcast.ring.Entry;
import io.galop.bus.Ask;
import io.galop.bus.FeedLane;
import io.galop.bus.Page;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.galop.retry.Backoff;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets from the owners what a browser missed and the ring no longer has, until the ring goes on
 * from there. One attempt: what an owner that does not answer has held up begins anew later.
 */
final class OwnerFetch {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerFetch.class);
  private static final int PAGE_BYTES = 256 * 1024;

  /**
   * So often one that has pages waits with them for the next, since it would have to ask for them
   * again.
   */
  private static final int MOST_PAUSES = 3;

  /** But not for an owner that took so long not to answer: it may stand still. */
  static final long QUICK_MS = 1_000;

  static final long FIRST_PAUSE_MS = 150;
  static final long LONGEST_PAUSE_MS = 600;

  enum Finish {
    /** All is here, as of this moment. */
    WHOLE,
    /** Something is missing, or would take more memory than allowed. */
    LOST,
    /** The owner of {@link #asked} does not answer, or is behind this node. */
    HELD_UP,
    /** The owner of {@link #asked} is known not to answer, and was not asked. */
    AWAY,
    /** A shard is loaded anew. */
    UNCOVERED,
    /** The browser has gone. */
    UNWANTED
  }

  /** Who has begun it. */
  interface Asker {
    /** Whether it is known of an owner that it does not answer: it is not to be asked then. */
    boolean isAway(int shard);

    /** An owner has answered. */
    void answered(int shard);

    /**
     * An owner has not, or is behind this node.
     *
     * @return whether to go on: after too many failures nobody waits any more
     */
    boolean failed(int shard);

    /** To be told once; but for {@link Finish#WHOLE} it has given back what it took. */
    void ended(OwnerFetch fetch, Finish how);
  }

  private final Vertx vertx;
  private final FeedLane lane;
  private final FeedView view;
  private final Join join;
  private final TopicFilter filter;
  private final Budget budget;
  private final Asker asker;
  private final Map<Integer, Position> reached;
  private final Set<Integer> ended = new HashSet<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Backoff pauses = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  /**
   * Where the ring began when the owner was asked that went on from where the browser was: until
   * then that may be of an unknown epoch.
   */
  private final Map<Integer, Position> vouched = new HashMap<>();

  private int asked = -1;
  private long askedNanos;
  private boolean hasPages;
  private long charged;

  /** How often it has waited since the last page. */
  private int waits;

  private boolean isOver;

  /**
   * @param from where the browser is in each shard of its filter
   */
  OwnerFetch(
      Vertx vertx,
      FeedLane lane,
      FeedView view,
      Join join,
      Map<Integer, Position> from,
      Budget budget,
      Asker asker) {
    this.vertx = vertx;
    this.lane = lane;
    this.view = view;
    this.join = join;
    this.filter = join.filter();
    this.budget = budget;
    this.asker = asker;
    this.reached = new HashMap<>(from);
    from.keySet().stream().filter(this::goesOn).forEach(ended::add);
  }

  /** What the filter means of it, each shard in order; to be given back with {@link #release}. */
  List<Entry> entries() {
    return entries;
  }

  /** Up to where each shard was fetched. */
  Map<Integer, Position> reached() {
    return reached;
  }

  /** The shard whose owner was asked last. */
  int asked() {
    return asked;
  }

  /** Shards whose owners have to be asked; while one is asked, others may fall back. */
  IntStream behind() {
    return reached.keySet().stream().mapToInt(shard -> shard).filter(this::isBehind);
  }

  private boolean isBehind(int shard) {
    return !goesOn(shard) || !ended.contains(shard) && view.isOld(reached(shard));
  }

  private boolean goesOn(int shard) {
    Position at = reached(shard);
    return isKnown(shard) && view.holdsAfter(filter, at);
  }

  private boolean isKnown(int shard) {
    return view.start(shard).equals(vouched.get(shard)) || view.isKnown(reached(shard));
  }

  private Position reached(int shard) {
    return reached.getOrDefault(shard, Position.none(shard));
  }

  /**
   * Begins to ask.
   *
   * @param first the shard to be asked first, if it has to be asked, though it may be away
   */
  void start(int first) {
    asked = first;
    step(this::next);
  }

  /** A fault costs this browser what it missed, and nobody else anything. */
  private void step(Runnable step) {
    try {
      if (!isOver) {
        step.run();
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("cannot fetch what a browser missed", fault);
      release();
      end(Finish.LOST);
    }
  }

  private void next() {
    if (!isWanted()) {
      return;
    }
    if (reached.containsKey(asked) && isBehind(asked)) {
      ask(asked);
      return;
    }
    OptionalInt away = behind().filter(asker::isAway).findFirst();
    if (away.isPresent()) {
      asked = away.getAsInt();
      end(Finish.AWAY);
      return;
    }
    behind().findFirst().ifPresentOrElse(this::ask, () -> end(Finish.WHOLE));
  }

  /** Ends it if nobody waits for it, or all begins anew. */
  private boolean isWanted() {
    boolean isUnwanted = join.registration().isEnded();
    if (isUnwanted || !view.isHere(filter)) {
      end(isUnwanted ? Finish.UNWANTED : Finish.UNCOVERED);
      return false;
    }
    return true;
  }

  private void ask(int shard) {
    asked = shard;
    askedNanos = System.nanoTime();
    Position start = view.start(shard);
    lane.fetch(new Ask(shard, reached(shard), "", PAGE_BYTES))
        .onSuccess(page -> step(() -> take(shard, start, page)))
        .onFailure(failure -> step(() -> failed(shard)));
  }

  private void take(int shard, Position start, Page page) {
    Position before = reached(shard);
    boolean isEnd = page.upTo().compareTo(before) <= 0 && page.records().isEmpty();
    if (page.complete()) {
      vouched.put(shard, start);
      view.heard(before);
      view.heard(page.upTo());
    }
    if (isEnd && page.complete() && view.isHere(filter) && !view.holdsAfter(filter, before)) {
      failed(shard); // the owner is behind what it has pushed to the ring, which passes
      return;
    }
    asker.answered(shard);
    boolean isLost = page.complete() ? !addAll(page) : !goesOn(shard);
    if (isLost) {
      end(Finish.LOST);
      return;
    }
    if (isEnd || !page.complete()) {
      ended.add(shard); // the owner has no more than the ring
    } else {
      hasPages = true;
      waits = 0;
      pauses.reset();
      reached.put(shard, page.upTo());
    }
    next();
  }

  private void failed(int shard) {
    boolean mayGoOn = asker.failed(shard);
    if (goesOn(shard)) {
      ended.add(shard);
      next();
    } else if (mayGoOn && hasPages && isQuick() && ++waits <= MOST_PAUSES) {
      vertx.setTimer(pauses.nextMs(), timer -> step(this::next));
    } else {
      end(Finish.HELD_UP);
    }
  }

  private boolean isQuick() {
    return System.nanoTime() - askedNanos < TimeUnit.MILLISECONDS.toNanos(QUICK_MS);
  }

  private boolean addAll(Page page) {
    try {
      return page.records().stream().allMatch(this::add);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("cannot take what a browser missed", fault);
      return false;
    }
  }

  private boolean add(Placed placed) {
    if (!filter.matches(placed.record().topic())) {
      return true;
    }
    Entry entry = Entry.of(placed.position(), placed.record());
    if (!budget.take(entry.cost())) {
      return false;
    }
    charged += entry.cost();
    return entries.add(entry);
  }

  private void end(Finish how) {
    if (isOver) {
      return; // a fault after the end
    }
    isOver = true;
    if (how != Finish.WHOLE) {
      release();
    }
    asker.ended(this, how);
  }

  /** Gives back the memory that the entries were charged for; may be called again. */
  void release() {
    budget.giveBack(charged);
    charged = 0;
  }
}
