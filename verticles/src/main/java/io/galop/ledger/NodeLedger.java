package io.galop.ledger;

import io.galop.ledger.ClosedMinute.Line;
import io.galop.ledger.ClosedMinute.Residual;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The books of a node, and the minutes of the last day. All sides of a border are counted by one
 * process from its start, so that a process that ends takes all of its open minutes with it, and
 * leaves no half of one. Minutes are numbered so that the numbers only grow, and named by the
 * clock, which may be set back: then names come again. Safe to call from any thread.
 */
public final class NodeLedger {
  /** For tests, which cannot wait for minutes. */
  private static final String LENGTH = "galop.ledger.minuteMs";

  private static final long MINUTE_MS = 60_000;
  private static final int MINUTES_OF_A_DAY = 1440;

  /** Minutes after which one is told as it is: the books keep no more. */
  private static final int LONGEST_OPEN = Book.MINUTES / 2;

  /** A clock that is behind by fewer minutes catches up soon. */
  private static final int MOST_BEHIND = 2;

  private final long lengthMs;
  private final LongSupplier clockMs;
  private final List<Book> books = new CopyOnWriteArrayList<>();
  private final Deque<ClosedMinute> closed = new ArrayDeque<>();
  private final long first;

  /** The largest number that anybody has counted in: numbers never fall. */
  private final AtomicLong newest;

  /**
   * The number of the first minute since each time that the clock was set back → by how much the
   * numbers from there on are above the clock's. One entry is at or before {@link #next}.
   */
  private final TreeMap<Long, Long> ahead = new TreeMap<>();

  /** The last value of {@link #ahead}. */
  private volatile long aheadNow;

  /** The earliest name of a minute that this process has counted in. */
  private long firstMs;

  /** The number of the first minute that is not closed. */
  private long next;

  /** Of a process that begins now. */
  public NodeLedger() {
    this(Long.getLong(LENGTH, MINUTE_MS), System::currentTimeMillis);
  }

  NodeLedger(long lengthMs, LongSupplier clockMs) {
    this.lengthMs = lengthMs;
    this.clockMs = clockMs;
    this.first = byClock();
    this.newest = new AtomicLong(first);
    this.ahead.put(first, 0L);
    this.firstMs = startMs(first);
    this.next = first;
  }

  private long byClock() {
    long above = aheadNow; // first: a clock of before with the sum of afterwards were far ahead
    return Math.floorDiv(clockMs.getAsLong(), lengthMs) + above;
  }

  private long minute() {
    long now = byClock();
    long known = newest.get();
    return now > known ? newest.accumulateAndGet(now, Math::max) : known;
  }

  /** A clock that was set back gives its name to a minute of its own, which begins now. */
  private void followClock() {
    long behind = newest.get() - byClock();
    if (behind >= MOST_BEHIND) {
      long begins = newest.get() + 1;
      aheadNow = aheadNow + behind + 1;
      ahead.put(begins, aheadNow);
      firstMs = Math.min(firstMs, startMs(begins));
    }
  }

  private long startMs(long minute) {
    return (minute - ahead.floorEntry(minute).getValue()) * lengthMs;
  }

  /** How long a minute is: 60 seconds but in tests. */
  public long lengthMs() {
    return lengthMs;
  }

  /**
   * A new book of a thread that turns it by itself, or has it turned by an executor.
   *
   * @param of what of this border, where there are several, as the name of a store; may be empty
   * @param thread runs a task on the thread that counts, or nothing if that turns by itself
   */
  public Book open(Border border, String of, int shards, Executor thread) {
    String stage = of.isEmpty() ? border.word() : border.word() + " " + of;
    return add(new Book(border, stage, shards, this::minute, thread));
  }

  /** A new book of a thread that counts in the minutes of others, who say what is still open. */
  public Book openFollowing(Border border, int shards) {
    return add(new Book(border, border.word(), shards, this::minute, null));
  }

  private Book add(Book book) {
    books.add(book);
    return book;
  }

  /** Closes what has settled; to be called every second or so. */
  public synchronized void look() {
    followClock();
    long now = minute();
    books.forEach(Book::askToTurn);
    next = Math.max(next, now - MINUTES_OF_A_DAY); // a clock that was set by years
    while (next < now) {
      Optional<String> open = open(next);
      if (open.isPresent() && next >= now - LONGEST_OPEN) {
        return;
      }
      close(next, open);
      next++;
    }
    ahead.headMap(ahead.floorKey(next)).clear();
  }

  private void close(long minute, Optional<String> open) {
    Optional<String> why = minute == first ? Optional.of("the node started in this minute") : open;
    List<Line> lines = new ArrayList<>();
    byStage().values().forEach(stage -> line(minute, stage).ifPresent(lines::add));
    closed.addLast(new ClosedMinute(startMs(minute), why, lines));
    if (closed.size() > MINUTES_OF_A_DAY) {
      closed.removeFirst();
    }
  }

  /** Why a minute is not over; empty if it is. */
  private Optional<String> open(long minute) {
    if (minute < minute() - Book.MINUTES + 2) {
      return Optional.of("the process or its clock stood still for minutes");
    }
    for (Book book : books) {
      if (!book.isBeyond(minute)) {
        return Optional.of(book.stage() + ": it has not reached the end of the minute");
      }
      long open = 0;
      for (int shard = 0; shard < book.shards(); shard++) {
        open += book.count(minute, shard, book.border().columns().size());
      }
      if (open != 0) {
        return Optional.of(book.stage() + ": " + open + " records are not answered");
      }
    }
    return Optional.empty();
  }

  private Map<String, List<Book>> byStage() {
    Map<String, List<Book>> stages = new TreeMap<>();
    books.forEach(book -> stages.computeIfAbsent(book.stage(), s -> new ArrayList<>()).add(book));
    return stages;
  }

  private static Optional<Line> line(long minute, List<Book> books) {
    Border border = books.get(0).border();
    long[] sums = new long[border.columns().size()];
    long lost = 0;
    long doubled = 0;
    boolean isQuiet = true;
    List<Residual> residuals = new ArrayList<>();
    for (int shard = 0; shard < books.get(0).shards(); shard++) {
      long left = 0;
      for (int column = 0; column < sums.length; column++) {
        long count = 0;
        for (Book book : books) {
          count += book.count(minute, shard, column);
        }
        isQuiet &= count == 0;
        sums[column] += count;
        left += border.isIn(column) ? count : -count;
      }
      lost += Math.max(left, 0);
      doubled += Math.max(-left, 0);
      if (left != 0 && residuals.size() < ClosedMinute.MOST_NAMED) {
        residuals.add(new Residual(shard, left));
      }
    }
    List<Long> all = Arrays.stream(sums).boxed().toList();
    return isQuiet
        ? Optional.empty()
        : Optional.of(new Line(books.get(0).stage(), border, all, lost, doubled, residuals));
  }

  /**
   * What is told at one moment.
   *
   * @param firstMs the beginning of the minute in which the process began, or of an earlier one to
   *     which the clock was set back; milliseconds since 1970
   * @param nextMs that of the minute that is told next
   */
  public record Told(List<ClosedMinute> minutes, long firstMs, long nextMs) {
    /** Those that are over: a clock that was ahead may have named some that come yet. */
    public List<ClosedMinute> past() {
      return minutes.stream().filter(minute -> minute.startMs() < nextMs).toList();
    }
  }

  /** The minutes of the last day, and which come next. */
  public synchronized Told told() {
    return new Told(List.copyOf(closed), firstMs, startMs(next));
  }

  /** The minutes of the last day, the oldest first. */
  public synchronized List<ClosedMinute> minutes() {
    return List.copyOf(closed);
  }
}
