package io.galop.persist.history;

import io.galop.config.persist.HistoryConfig;
import io.galop.persist.history.AnswerRoom.Line;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heap that a node's answers of the history may take, however slowly their clients read. One
 * half is for pages: an answer holds one of each storing node. When others wait for that half, an
 * answer whose client is behind sets its pages aside, and asks for them again when the client has
 * caught up. The other half is for what an answer holds from its beginning to its last byte. When
 * others wait for that one, an answer whose client has taken nothing for long is cut off. An answer
 * with pages waits for nothing but its client and nodes, so that one can always go on. Thread-safe;
 * calls back on the context of the claim.
 */
public final class AnswerBudget {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerBudget.class);
  private static final int MOST_WAITING = 256;
  private static final long LOOK_MS = 500;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(15);

  /**
   * A kernel that holds 4 MB for a client tells that there is room again when a third has left, so
   * a client of 40 KB/s may seem to take nothing for so long.
   */
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(40);

  private static final String BUSY =
      "persist.history.answerBytes are in use by other answers; ask again";

  private final long mostPageBytes;
  private final long mostPlaceBytes;
  private final AnswerCounts counts;
  private final LongSupplier nanos;

  /** What all claims hold; below the bounds, but for one claim that is larger by itself. */
  private long pageBytes;

  private long placeBytes;

  /** Of the pages, what has been asked back already. */
  private long leavingBytes;

  /** By the ordinal of their line. */
  private final List<Deque<Claim>> waiting =
      List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());

  /** Whose clients are behind, the longest first. */
  private final Set<Claim> behind = new LinkedHashSet<>();

  private int nextLine;
  private boolean isLookDue;

  private enum State {
    NEW,
    WAITING,
    ACTIVE,
    BEHIND,
    ENDED
  }

  /** The budget of a node. */
  public AnswerBudget(HistoryConfig config, MeterRegistry meters) {
    this(config, meters, System::nanoTime);
  }

  AnswerBudget(HistoryConfig config, MeterRegistry meters, LongSupplier nanos) {
    this.mostPageBytes = config.answerBytes() / 2;
    this.mostPlaceBytes = config.answerBytes() / 2;
    this.counts = AnswerCounts.of(meters);
    this.nanos = nanos;
    Gauge.builder("galop.history.answers.held", this, AnswerBudget::heldBytes)
        .baseUnit("bytes")
        .description("Bytes that answers of the history may hold now, of answerBytes")
        .register(meters);
  }

  private synchronized long heldBytes() {
    return pageBytes + placeBytes;
  }

  /**
   * A claim of the current context that holds nothing yet.
   *
   * @param pages bytes of the pages that it holds at most
   * @param place bytes that it holds beside them until its end
   */
  Claim claim(AnswerHolder holder, Line line, long pages, long place) {
    return new Claim(holder, line, pages, place);
  }

  /** Of one answer. On one event loop, but for what the lock of the budget guards. */
  final class Claim implements AnswerRoom {
    private final AnswerHolder holder;
    private final Context context = Vertx.currentContext();
    private final Line line;
    private State state = State.NEW;
    private long wantedPages;
    private long place;
    private long heldPages;
    private long sinceNanos;
    private boolean isAskedBack;

    private Claim(AnswerHolder holder, Line line, long pages, long place) {
      this.holder = holder;
      this.line = line;
      this.wantedPages = pages;
      this.place = place;
    }

    /** Begins now, or when there is room, or is refused; {@link #end} must come in any case. */
    void take() {
      boolean begins = false;
      boolean isRefused = false;
      synchronized (AnswerBudget.this) {
        if (isFree() && hasPlace() && hasPages()) {
          placeBytes += place;
          give();
          begins = true;
        } else if (waiting(line).size() >= MOST_WAITING) {
          counts.refused().increment();
          isRefused = true;
        } else {
          counts.waited().increment();
          await(line);
        }
      }
      if (begins) {
        holder.begin();
      } else if (isRefused) {
        holder.refuse(BUSY);
      }
    }

    /** Unless it has ended by then. */
    private void run(Runnable work) {
      context.runOnContext(
          none -> {
            if (state != State.ENDED) {
              work.run();
            }
          });
    }

    private void await(Line where) {
      state = State.WAITING;
      sinceNanos = nanos.getAsLong();
      waiting(where).add(this);
      grant();
      lookLater(context);
    }

    private boolean hasPlace() {
      return placeBytes == 0 || placeBytes + place <= mostPlaceBytes;
    }

    private boolean hasPages() {
      return pageBytes == 0 || pageBytes + wantedPages <= mostPageBytes;
    }

    private void give() {
      state = State.ACTIVE;
      hold(wantedPages);
    }

    private void hold(long pages) {
      if (isAskedBack) {
        leavingBytes -= heldPages;
        isAskedBack = false;
      }
      pageBytes += pages - heldPages;
      heldPages = pages;
    }

    @Override
    public void holdPages(long bytes) {
      synchronized (AnswerBudget.this) {
        if (state != State.ENDED) {
          hold(bytes);
          grant();
        }
      }
    }

    @Override
    public void holdAtLeast(long bytes) {
      synchronized (AnswerBudget.this) {
        if (state != State.ENDED && bytes > heldPages) {
          hold(bytes);
          askBack(0);
        }
      }
    }

    /** It needs no pages any more, but holds so much until it has left. */
    void holdBody(long bytes) {
      synchronized (AnswerBudget.this) {
        if (state != State.ENDED) {
          hold(0);
          placeBytes += bytes - place;
          place = bytes;
          grant();
        }
      }
    }

    @Override
    public void pause() {
      synchronized (AnswerBudget.this) {
        if (state == State.ACTIVE) {
          state = State.BEHIND;
          sinceNanos = nanos.getAsLong();
          behind.add(this);
          grant(); // somebody may wait for its pages
        }
      }
    }

    @Override
    public void taken() {
      synchronized (AnswerBudget.this) {
        sinceNanos = nanos.getAsLong();
      }
    }

    @Override
    public boolean resume(long pages) {
      synchronized (AnswerBudget.this) {
        if (state != State.BEHIND) {
          return state == State.ACTIVE;
        }
        behind.remove(this);
        state = State.ACTIVE;
        if (heldPages > 0 || pages == 0) {
          return true;
        }
        wantedPages = pages;
        if (isFree() && hasPages()) {
          give();
          return true;
        }
        await(Line.BEGUN);
        return false;
      }
    }

    private void setAside() {
      synchronized (AnswerBudget.this) {
        if (state != State.BEHIND) { // the client has taken something meanwhile
          hold(heldPages);
          grant();
          return;
        }
      }
      holder.setPagesAside();
      counts.setAside().increment();
      holdPages(0);
    }

    private void cutOff() {
      synchronized (AnswerBudget.this) {
        if (state != State.BEHIND || nanos.getAsLong() - sinceNanos < STALLED_NANOS) {
          return; // the client has taken something meanwhile
        }
        counts.cut().increment();
      }
      end();
      holder.cutOff();
    }

    @Override
    public void end() {
      synchronized (AnswerBudget.this) {
        if (state == State.ENDED) {
          return;
        }
        boolean hadPlace = state != State.NEW && (state != State.WAITING || isBegun());
        placeBytes -= hadPlace ? place : 0;
        hold(0);
        waiting.forEach(line -> line.remove(this));
        behind.remove(this);
        state = State.ENDED;
        grant();
      }
    }

    private boolean isBegun() {
      return waiting(Line.BEGUN).contains(this);
    }
  }

  private Deque<Claim> waiting(Line line) {
    return waiting.get(line.ordinal());
  }

  private boolean isFree() {
    return waiting.stream().allMatch(Deque::isEmpty);
  }

  /** Whoever is first in his line, one line after the other, as far as there is room. */
  private void grant() {
    Line[] lines = Line.values();
    int passed = 0;
    while (passed < lines.length) {
      Line line = lines[nextLine];
      Claim first = waiting(line).peek();
      if (first == null || line != Line.BEGUN && !first.hasPlace()) {
        passed++;
        nextLine = (nextLine + 1) % lines.length;
      } else if (!first.hasPages()) {
        askBack(first.wantedPages);
        return; // nobody passes it, or it might wait for ever
      } else {
        passed = 0;
        nextLine = (nextLine + 1) % lines.length;
        begin(waiting(line).remove(), line);
      }
    }
  }

  private void begin(Claim claim, Line line) {
    claim.give();
    if (line == Line.BEGUN) {
      claim.run(claim.holder::goOn);
    } else {
      placeBytes += claim.place;
      claim.run(claim.holder::begin);
    }
  }

  private void askBack(long bytes) {
    long missing = pageBytes + bytes - mostPageBytes - leavingBytes;
    for (Claim claim : behind) {
      if (missing > 0 && claim.heldPages > 0 && !claim.isAskedBack) {
        claim.isAskedBack = true;
        leavingBytes += claim.heldPages;
        missing -= claim.heldPages;
        claim.context.runOnContext(none -> claim.setAside());
      }
    }
  }

  private void lookLater(Context context) {
    if (!isLookDue) {
      isLookDue = true;
      context.owner().setTimer(LOOK_MS, timer -> look(context));
    }
  }

  private synchronized void look(Context context) {
    isLookDue = false;
    long nowNanos = nanos.getAsLong();
    for (Line line : List.of(Line.SMALL, Line.LARGE)) {
      Deque<Claim> of = waiting(line);
      while (!of.isEmpty() && nowNanos - of.peek().sinceNanos > LONGEST_WAIT_NANOS) {
        Claim late = of.remove();
        late.state = State.NEW; // it holds nothing
        counts.refused().increment();
        late.run(() -> late.holder.refuse(BUSY));
      }
      if (!of.isEmpty() && !of.peek().hasPlace()) {
        cutOff(of.peek().place, nowNanos);
      }
    }
    grant();
    if (!isFree()) {
      lookLater(context);
    }
  }

  private void cutOff(long bytes, long nowNanos) {
    long missing = placeBytes + bytes - mostPlaceBytes;
    List<Claim> stalled = new ArrayList<>();
    for (Claim claim : behind) {
      if (missing > 0 && nowNanos - claim.sinceNanos > STALLED_NANOS) {
        stalled.add(claim);
        missing -= claim.place;
      }
    }
    stalled.forEach(claim -> claim.context.runOnContext(none -> claim.cutOff()));
    if (!stalled.isEmpty()) {
      LOG.warn(
          "history answers cut off: {}; their clients took nothing for 40 s, and others wait",
          stalled.size());
    }
  }
}
