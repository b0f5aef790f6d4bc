package io.galop.broadcast.feed;

import io.galop.broadcast.feed.ScheduledOwner.Mood;
import io.galop.broadcast.hub.EndedRegistration;
import io.galop.broadcast.ring.Entry;
import io.galop.bus.Ask;
import io.galop.bus.Refusal;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Browsers come back and leave while owners refuse, stand still, answer late, begin epochs and lose
 * all, and the ring goes on. Its time is not the machine's, and all chance is that of a seed.
 */
final class FetchSchedule {
  static final int PLACES = 3;
  static final long ATTEMPT_MS = 5_000;
  private static final long BUSY_MS = 20_000;

  /** Owners that refuse some of what they are asked may keep one for minutes. */
  private static final long MOST_WAIT_MS = 600_000;

  private final Random random;
  private final ReturningWorld world;
  private final ScheduledOwner[] owners;
  private final OwnerFetches fetches;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atMs).thenComparingLong(Task::number));
  private final Map<Join, Viewer> waiting = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final Mood[] moods;
  private long nowMs;
  private long tasksMade;
  private int asking;
  int whole;
  int lost;

  private record Task(long atMs, long number, Runnable run) {}

  /** Of which records a browser has so many, by shard. */
  private record Viewer(Map<Integer, List<Position>> records, Map<Integer, Integer> has) {}

  FetchSchedule(long seed, ReturningWorld world) {
    this.random = new Random(seed);
    this.world = world;
    boolean isBroken = seed % 10 == 9; // each fault is logged with its stack
    this.moods = Arrays.copyOf(Mood.values(), Mood.values().length - (isBroken ? 0 : 1));
    this.owners =
        IntStream.range(0, world.shards.length)
            .mapToObj(shard -> new ScheduledOwner(shard, random))
            .toArray(ScheduledOwner[]::new);
    for (ScheduledOwner owner : owners) {
      owner.append(1 + random.nextInt(30));
      load(owner);
    }
    this.fetches =
        new OwnerFetches(
            timed(),
            world.bus.feed(),
            world.config.broadcast().resume(),
            world.view,
            owners.length,
            new AtomicLong(),
            this::whole,
            this::again);
  }

  /** With this schedule's time, and its chance for how long pauses are. */
  private Vertx timed() {
    return (Vertx)
        Proxy.newProxyInstance(
            Vertx.class.getClassLoader(),
            new Class<?>[] {Vertx.class},
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "runOnContext" -> in(0, args[0]);
                case "setTimer" -> in(75 + random.nextInt(525), args[1]);
                default -> {
                  try {
                    return method.invoke(world.vertx, args);
                  } catch (InvocationTargetException fault) {
                    throw fault.getCause();
                  }
                }
              }
              return method.getReturnType() == long.class ? tasksMade : null;
            });
  }

  @SuppressWarnings("unchecked")
  private void in(long ms, Object handler) {
    in(ms, () -> ((Handler<Object>) handler).handle(null));
  }

  private void in(long ms, Runnable run) {
    tasks.add(new Task(nowMs + ms, tasksMade++, run));
  }

  private void runUntil(long untilMs) {
    while (tasks.element().atMs() < untilMs) {
      Task task = tasks.remove();
      nowMs = task.atMs();
      task.run().run();
    }
    nowMs = untilMs;
  }

  /** What is wrong: nothing, if each browser is told once, and who is told that all is here. */
  List<String> run() {
    look();
    step();
    runUntil(BUSY_MS);
    Mood[] last = {Mood.ANSWERS, Mood.REFUSES, Mood.REFUSES_SOME, Mood.STANDS_STILL};
    for (ScheduledOwner owner : owners) {
      owner.mood = last[random.nextInt(last.length)];
    }
    while (!waiting.isEmpty() && nowMs < BUSY_MS + MOST_WAIT_MS) {
      runUntil(nowMs + 100);
    }
    check(waiting.isEmpty(), waiting.size() + " wait for ever");
    Stream.of(owners).forEach(owner -> owner.mood = Mood.ANSWERS);
    runUntil(nowMs + 2 * ATTEMPT_MS);
    if (faults.isEmpty()) {
      checkThatAllMemoryIsFree();
      checkThatAllPlacesAreFree();
    }
    return faults;
  }

  private void look() {
    fetches.look();
    in(100, this::look);
  }

  private void check(boolean isSo, String fault) {
    if (!isSo) {
      faults.add(nowMs + " ms: " + fault);
    }
  }

  /** One is whole that has room for no record more. */
  private void checkThatAllMemoryIsFree() {
    ScheduledOwner owner = owners[0];
    long left = world.config.broadcast().resume().maxBytes();
    int count = 0;
    owner.loseAll();
    while (left >= 0) {
      owner.append(1);
      count++;
      left -= entry(owner.records.get(count)).cost();
    }
    owner.append(1);
    owner.pushed = 1;
    come(owner);
    owner.records.subList(count, owner.records.size()).clear();
    load(owner);
    int before = whole;
    runUntil(nowMs + ATTEMPT_MS);
    check(whole == before + 1, "some memory is not given back");
  }

  private static Entry entry(Position at) {
    return Entry.of(at, ReturningWorld.placed(at, "a").record());
  }

  private void checkThatAllPlacesAreFree() {
    ScheduledOwner owner = owners[0];
    owner.append(40);
    owner.pushed = 1;
    IntStream.range(0, 4 * PLACES).forEach(n -> come(owner));
    load(owner);
    owner.mood = Mood.STANDS_STILL;
    runUntil(nowMs + ATTEMPT_MS / 2);
    check(asking == PLACES, asking + " places are free, of " + PLACES);
    waiting.keySet().forEach(join -> EndedRegistration.end(join.registration()));
    runUntil(nowMs + 2 * ATTEMPT_MS);
    check(waiting.isEmpty(), waiting.size() + " that have left wait");
  }

  /** Something happens, again and again. */
  private void step() {
    if (nowMs >= BUSY_MS - 100) {
      return;
    }
    ScheduledOwner owner = owners[random.nextInt(owners.length)];
    int what = random.nextInt(1_000);
    if (what < 300) {
      owner.append(1 + random.nextInt(12));
    } else if (what < 550) {
      push(owner, owner.pushed + random.nextInt(6));
    } else if (what < 650) {
      IntStream.range(0, 1 + random.nextInt(3)).forEach(n -> come(owner));
    } else if (what < 680) {
      come(owners);
    } else if (what < 740 && !waiting.isEmpty()) {
      List<Join> all = new ArrayList<>(waiting.keySet());
      EndedRegistration.end(all.get(random.nextInt(all.size())).registration());
    } else if (what < 780) {
      owner.mood = moods[random.nextInt(moods.length)];
    } else if (what < 900) {
      owner.mood = Mood.ANSWERS;
    } else if (what < 920) {
      owner.beginEpoch();
    } else if (what < 925) {
      owner.forget();
    } else if (what < 930) {
      load(owner);
    } else if (what < 932) {
      owner.loseAll();
      load(owner);
    }
    in(random.nextInt(40), this::step);
  }

  /** There is a gap in what the node has. */
  private void load(ScheduledOwner owner) {
    owner.pushed = owner.records.size();
    world.load(owner.records.get(owner.pushed - 1));
  }

  private void push(ScheduledOwner owner, int upTo) {
    while (owner.pushed < Math.min(upTo, owner.records.size())) {
      Position next = owner.records.get(owner.pushed++);
      world.push(owner.shard, next.epoch(), next.offset(), "a");
    }
  }

  /** One comes that misses up to so many of what the node has of some shards. */
  private void come(ScheduledOwner... of) {
    Viewer viewer = new Viewer(new HashMap<>(), new HashMap<>());
    Map<Integer, Position> places = new HashMap<>();
    for (ScheduledOwner owner : of) {
      int has = Math.max(1, owner.pushed - random.nextInt(50));
      viewer.records().put(owner.shard, owner.records);
      viewer.has().put(owner.shard, has);
      places.put(owner.shard, owner.records.get(has - 1));
    }
    Join join = world.join("#", places.values().toArray(Position[]::new));
    waiting.put(join, viewer);
    fetches.add(join, places);
  }

  /** What an owner answers, and when. */
  Future<Object> ask(Ask ask) {
    owners[ask.shard()].breakNowAndThen();
    asking++;
    check(asking <= PLACES + owners.length, asking + " questions at once");
    ScheduledOwner owner = owners[ask.shard()];
    Promise<Object> answer = Promise.promise();
    boolean isRefused = owner.mood == Mood.STANDS_STILL || owner.refuses();
    Object early = random.nextBoolean() ? owner.page(ask) : null;
    Runnable answers =
        () -> {
          asking--;
          if (isRefused) {
            answer.fail(new Refusal(Refusal.Why.NOT_READY, "not now"));
          } else {
            answer.complete(early == null ? owner.page(ask) : early);
          }
        };
    if (isRefused && owner.mood != Mood.STANDS_STILL && random.nextInt(3) == 0) {
      answers.run();
    } else {
      in(owner.ms(), answers);
    }
    return answer.future();
  }

  private void again(Join join) {
    boolean isGone = join.registration().isEnded();
    check(isGone || join.isLost(), "one begins anew");
    lost += isGone ? 0 : 1;
    answered(join);
  }

  private Viewer answered(Join join) {
    Viewer viewer = null;
    for (Join one : List.copyOf(waiting.keySet())) {
      if (one.registration() == join.registration()) {
        viewer = waiting.remove(one);
      }
    }
    check(viewer != null, "one is told twice");
    return viewer;
  }

  private void whole(
      Join join, Map<Integer, Position> reached, List<Entry> entries, Runnable release) {
    whole++;
    Viewer viewer = answered(join);
    for (int shard : viewer == null ? List.<Integer>of() : viewer.has().keySet()) {
      checkThatNothingIsMissing(viewer, shard, reached.get(shard), entries);
    }
    in(random.nextInt(200), release);
    in(200, release);
  }

  /** Neither missing nor doubled. */
  private void checkThatNothingIsMissing(
      Viewer viewer, int shard, Position reached, List<Entry> entries) {
    List<Position> got = new ArrayList<>();
    entries.stream().filter(e -> e.shard() == shard).forEach(e -> got.add(e.position()));
    for (long n = world.ring.firstAfter(shard, reached); n < world.ring.next(); n++) {
      Entry entry = world.ring.get(n);
      if (entry != null && entry.shard() == shard) {
        got.add(entry.position());
      }
    }
    List<Position> records = viewer.records().get(shard);
    int has = viewer.has().get(shard);
    int end = has + got.size();
    boolean isWhole =
        records == owners[shard].records
            && end >= owners[shard].pushed
            && end <= records.size()
            && got.equals(records.subList(has, end));
    check(isWhole, "one has " + has + " of shard " + shard + " and is sent " + got);
  }
}
