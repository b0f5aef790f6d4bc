package io.galop.broadcast.feed;

import io.galop.broadcast.hub.Budget;
import io.galop.broadcast.ring.Entry;
import io.galop.bus.FeedLane;
import io.galop.config.broadcast.ResumeConfig;
import io.galop.record.Position;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who asks the owners for what was missed, and who waits for that: so many at once, in the order in
 * which they came. Whoever needs a shard whose owner does not answer is out of that order, and
 * takes nobody's place; one of them at a time asks whether it answers again, beside the places. So
 * there are never more under way than there are places and shards. All that wait are among the
 * registrations that {@link Joins} bounds and counts. All on the feed loop.
 */
final class OwnerFetches {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerFetches.class);

  /** So long beginning to ask may keep the feed waiting, in nanoseconds. */
  private static final long TURN_NANOS = 2_000_000;

  /** So many times an owner does not answer before a browser is told that something is missing. */
  private static final int MOST_FAILURES = 10;

  private static final int NO_SHARD = -1;

  /** What was missed is here. */
  interface Answer {
    /**
     * To be given at once: the ring goes on from there as of now.
     *
     * @param reached up to where each shard was fetched
     * @param entries what the filter means of it, each shard in order
     * @param release gives back the memory that they were charged for; may be called again
     */
    void whole(Join join, Map<Integer, Position> reached, List<Entry> entries, Runnable release);
  }

  private final Vertx vertx;
  private final Loop loop;
  private final FeedLane lane;
  private final FeedView view;
  private final int most;
  private final Budget budget;
  private final AtomicLong held;
  private final Answer answer;
  private final Consumer<Join> again;
  private final Deque<Returning> queue = new ArrayDeque<>();
  private final Shard[] shards;

  /** How many have a place: all under way but those that scout. */
  private int running;

  private boolean isTurnDue;

  /** How many have come. */
  private long come;

  /**
   * @param held counts those that wait for an owner that does not answer
   * @param answer is given what was missed
   * @param again decides anew: the browser has gone, all begins anew, or something is missing
   */
  OwnerFetches(
      Vertx vertx,
      FeedLane lane,
      ResumeConfig config,
      FeedView view,
      int shards,
      AtomicLong held,
      Answer answer,
      Consumer<Join> again) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.lane = lane;
    this.view = view;
    this.most = config.maxConcurrent();
    this.budget = new Budget(config.maxBytes());
    this.held = held;
    this.answer = answer;
    this.again = again;
    this.shards = IntStream.range(0, shards).mapToObj(Shard::new).toArray(Shard[]::new);
  }

  /**
   * A browser that misses something waits for its turn.
   *
   * @param from where it is in each shard of its filter
   */
  void add(Join join, Map<Integer, Position> from) {
    queue.add(new Returning(join, from));
    turnLater();
  }

  private void turnLater() {
    if (!isTurnDue && running < most && !nextInTurn().isEmpty()) {
      isTurnDue = true;
      vertx.runOnContext(ignored -> turn());
    }
  }

  private void turn() {
    loop.check();
    isTurnDue = false;
    long begin = System.nanoTime();
    Deque<Returning> next = nextInTurn();
    while (!next.isEmpty() && running < most && System.nanoTime() - begin < TURN_NANOS) {
      next.remove().begin();
      next = nextInTurn();
    }
    turnLater();
  }

  /** In which whoever came first is the first, of all that wait for no owner; empty: nobody is. */
  private Deque<Returning> nextInTurn() {
    Deque<Returning> next = queue;
    for (Shard shard : shards) {
      Returning first = shard.isAway ? null : shard.held.peek();
      if (first != null && (next.isEmpty() || first.number < next.element().number)) {
        next = shard.held;
      }
    }
    return next;
  }

  /** Whose browser has gone, and who has waited long enough, waits no more. To be called often. */
  void look() {
    loop.check();
    leave(queue);
    long count = 0;
    for (Shard shard : shards) {
      leave(shard.held);
      shard.scout();
      count += shard.isAway ? shard.held.size() : 0;
    }
    held.set(count);
    turnLater();
  }

  private boolean isFull() {
    long scouts = Arrays.stream(shards).filter(shard -> shard.scout != null).count();
    return running + scouts >= most + shards.length;
  }

  private static void leave(Deque<Returning> all) {
    List<Returning> over = new ArrayList<>();
    all.removeIf(one -> one.isOver() && over.add(one));
    over.forEach(Returning::leave);
  }

  /** A shard, and who waits since its owner does not answer. */
  private final class Shard {
    private final int number;
    private final Deque<Returning> held = new ArrayDeque<>();
    private final Backoff pauses =
        new Backoff(OwnerFetch.FIRST_PAUSE_MS, OwnerFetch.LONGEST_PAUSE_MS);

    private boolean isAway;
    private boolean isPausing;

    private int pauseCount;

    /** How many of them were before its owner answered last: they are no failure of who waits. */
    private int forgivenPauses;

    /** Who may ask for it now, among those that were held; null: nobody. */
    private @Nullable Returning scout;

    private Shard(int number) {
      this.number = number;
    }

    /** Its owner does not answer. What is under way meanwhile will fail too, and means no more. */
    private void failed() {
      isAway = true;
      if (!isPausing) {
        isPausing = true;
        pauseCount++;
        vertx.setTimer(pauses.nextMs(), timer -> pauseIsOver());
      }
    }

    private int pausesSince(int before) {
      return pauseCount - Math.max(before, forgivenPauses);
    }

    private void pauseIsOver() {
      isPausing = false;
      scout();
    }

    /** Sends the next one if there is none under way; if nobody waits, whoever comes will ask. */
    private void scout() {
      if (!isAway || isPausing || scout != null || isFull()) {
        return;
      }
      isAway = !held.isEmpty();
      if (isAway) {
        Returning next = held.remove();
        scout = next;
        next.letThrough(this);
        vertx.runOnContext(ignored -> next.begin());
      } else {
        pauses.reset();
      }
    }

    private void answered() {
      if (isAway) {
        isAway = false;
        pauses.reset();
        forgivenPauses = pauseCount;
        turnLater();
      }
    }
  }

  /** A browser that has come back, while it waits for what it missed. */
  private final class Returning implements OwnerFetch.Asker {
    private final Join join;
    private final Map<Integer, Position> from;

    /** In which order they came. */
    private final long number = ++come;

    /** As it has seen them, of whatever shards, without those of the one that holds it. */
    private int failures;

    /** The shard that it waits for; null: none. */
    private @Nullable Shard holder;

    private int pausesBefore;

    /**
     * Of whose owner it asks whether it answers again, without a place; null: of none. It asks no
     * other before that is known.
     */
    private @Nullable Shard scoutFor;

    private Returning(Join join, Map<Integer, Position> from) {
      this.join = join;
      this.from = from;
    }

    private int failures() {
      return failures + (holder == null ? 0 : holder.pausesSince(pausesBefore));
    }

    private boolean isOver() {
      return join.registration().isEnded() || failures() >= MOST_FAILURES;
    }

    private void hold(Shard shard) {
      holder = shard;
      pausesBefore = shard.pauseCount;
      shard.held.add(this);
    }

    private void letThrough(Shard shard) {
      failures = failures();
      holder = null;
      scoutFor = shard;
    }

    private OwnerFetch fetch() {
      return new OwnerFetch(vertx, lane, view, join, from, budget, this);
    }

    /** It is its turn. A fault costs it what it missed, and nobody else anything. */
    private void begin() {
      try {
        if (scoutFor == null) {
          start();
        } else {
          scout(scoutFor.number);
        }
      } catch (RuntimeException | OutOfMemoryError fault) {
        LOG.warn("cannot ask for what a browser missed", fault);
        stopScouting();
        again.accept(join.lost());
      }
    }

    /** Asks in its turn, unless an owner does not answer that it has to ask. */
    private void start() {
      holder = null;
      OwnerFetch fetch = fetch();
      OptionalInt away = fetch.behind().filter(this::isAway).findFirst();
      if (away.isPresent()) {
        hold(shards[away.getAsInt()]);
      } else {
        running++;
        fetch.start(NO_SHARD);
      }
    }

    /** Asks the owner that held it up, if that is still needed: the ring may have gone on. */
    private void scout(int number) {
      OwnerFetch fetch = fetch();
      if (fetch.behind().anyMatch(shard -> shard == number)) {
        fetch.start(number);
      } else {
        stopScouting();
        queue.add(this);
        turnLater();
      }
    }

    /** The next one can be sent then. */
    private void stopScouting() {
      Shard shard = scoutFor;
      if (shard != null) {
        scoutFor = null;
        shard.scout = null;
        shard.scout();
      }
    }

    /** What it asks from now on it asks with a place, though there may be none left. */
    private void hasAsked() {
      if (scoutFor != null) {
        stopScouting();
        running++;
      }
    }

    @Override
    public boolean isAway(int shard) {
      return shards[shard].isAway;
    }

    @Override
    public void answered(int shard) {
      shards[shard].answered();
      hasAsked();
    }

    @Override
    public boolean failed(int shard) {
      failures++;
      shards[shard].failed();
      hasAsked();
      return failures < MOST_FAILURES;
    }

    @Override
    public void ended(OwnerFetch fetch, OwnerFetch.Finish how) {
      if (scoutFor == null) {
        running--;
      } else {
        stopScouting(); // it has not asked
      }
      switch (how) {
        case WHOLE -> answer.whole(join, fetch.reached(), fetch.entries(), fetch::release);
        case HELD_UP -> heldUp(shards[fetch.asked()]);
        case AWAY -> {
          failures++; // else two owners that go in turn could keep it for ever
          heldUp(shards[fetch.asked()]);
        }
        case LOST -> again.accept(join.lost());
        default -> again.accept(join);
      }
      turnLater();
    }

    private void heldUp(Shard shard) {
      if (failures < MOST_FAILURES) {
        hold(shard);
      } else {
        again.accept(join.lost());
      }
    }

    private void leave() {
      again.accept(failures() < MOST_FAILURES ? join : join.lost());
    }
  }
}
