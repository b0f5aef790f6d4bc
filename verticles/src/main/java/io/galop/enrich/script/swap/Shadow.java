package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.StateMap;
import io.galop.enrich.script.TopicStates;
import io.galop.record.Record;
import io.galop.record.RecordCodec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A new version on a thread of its own, beside the script of one event loop. The live one hands
 * over each record with what it made of it and never waits: what does not fit into the queue is not
 * compared, and counted.
 */
final class Shadow {
  private static final long LOOK_MS = 50;

  /** How much longer than its limit a call may take before its thread is given up. */
  private static final long PATIENCE_MS = 5_000;

  /**
   * A record and what the live version made of it.
   *
   * @param state of its topic before the call, where the candidate does not have it yet
   */
  private record Seen(Record record, Optional<StateMap> state, Outcome live, long bytes) {}

  private final StepContext step;
  private final Comparison comparison;
  private final BlockingQueue<Seen> queue;
  private final AtomicLong queuedBytes = new AtomicLong();

  /** Topics whose state the candidate goes on with; only the live script's thread looks here. */
  private final Set<String> handedOver = new HashSet<>();

  private final TopicStates states;
  private final Hanging.Member hanging = new Hanging.Member();
  private boolean started;
  private volatile boolean ended;
  private volatile long endedNanos;
  private volatile long callBegan;
  private volatile String broken = "";

  Shadow(StepContext step, Comparison comparison) {
    this.step = step;
    this.comparison = comparison;
    this.states = step.newStates(() -> {});
    this.queue = new ArrayBlockingQueue<>(step.config().shadow().queueRecords());
  }

  /** Begins to work, if it is not ended; the script is loaded on the shadow's own thread. */
  synchronized void start(String name, Function<TopicStates, Script> loading) {
    if (ended) {
      return;
    }
    Thread thread = new Thread(() -> run(loading), name);
    thread.setDaemon(true);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
    started = true;
  }

  /**
   * To be called before the live script is: what the candidate has to know of the record's topic.
   * States are copied one by one as their topics come, so that no record waits for all of them.
   */
  Optional<StateMap> before(Record record, TopicStates live) {
    if (queue.remainingCapacity() == 0 || handedOver.contains(record.topic())) {
      return Optional.empty();
    }
    if (handedOver.size() >= step.config().maxStateTopics()) {
      handedOver.clear();
    }
    handedOver.add(record.topic());
    return live.copyOf(record.topic());
  }

  /** To be called behind it. Never waits; of a topic that misses a record the state comes anew. */
  void offer(Record record, Optional<StateMap> before, Outcome live) {
    long bytes = RecordCodec.approximateBytes(record);
    for (Record output : live.records()) {
      bytes += RecordCodec.approximateBytes(output);
    }
    boolean fits = queuedBytes.get() + bytes <= step.config().shadow().queueBytes();
    if (fits && handedOver.contains(record.topic())) {
      queuedBytes.addAndGet(bytes);
      if (queue.offer(new Seen(record, before, live, bytes))) {
        return;
      }
      queuedBytes.addAndGet(-bytes);
    }
    handedOver.remove(record.topic());
    comparison.skip();
  }

  private void run(Function<TopicStates, Script> loading) {
    try (Script candidate = loading.apply(states)) {
      while (!ended) {
        Seen seen = queue.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        if (seen != null) {
          queuedBytes.addAndGet(-seen.bytes());
          compare(candidate, seen);
        }
      }
    } catch (IllegalArgumentException e) {
      broken = "it was not loaded again: " + e.getMessage();
    } catch (RuntimeException | Error e) { // or it would be judged by what it did until then
      broken = "it broke off: " + e;
    } catch (InterruptedException e) {
      broken = "its thread was interrupted";
      Thread.currentThread().interrupt();
    } finally {
      hanging.end();
    }
  }

  /** Its call does not end: it counts from now on until it does after all. */
  void giveUp() {
    hanging.giveUp(step.trials());
  }

  private void compare(Script candidate, Seen seen) {
    seen.state().ifPresent(state -> states.adopt(seen.record().topic(), state));
    callBegan = System.nanoTime() | 1;
    Outcome outcome = Outcome.of(candidate, seen.record(), step.config().maxAllocatedBytes(), true);
    callBegan = 0;
    if (!ended) {
      comparison.add(seen.record(), seen.live(), outcome);
    }
  }

  /** How long the call under way takes by now; 0 if there is none. */
  long callNanos() {
    long began = callBegan;
    return began == 0 ? 0 : System.nanoTime() - began;
  }

  /** Whether its call should have ended long since. */
  boolean isStuck() {
    long limit = step.config().timeLimitMs() + PATIENCE_MS;
    return TimeUnit.NANOSECONDS.toMillis(callNanos()) > limit;
  }

  /**
   * Sees to it that the thread of one that is ended counts if it hangs, where it loads the script
   * too. Called now and then.
   *
   * @return whether there is nothing more to see to
   */
  synchronized boolean settle() {
    if (!started || hanging.isOver()) {
      return true;
    }
    long sinceEnd = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - endedNanos);
    if (!isStuck() && sinceEnd < Loading.MOST_SECONDS) {
      return false;
    }
    giveUp();
    return true;
  }

  /** Why it does no more; empty if it does. */
  String broken() {
    return broken;
  }

  boolean isEnded() {
    return ended;
  }

  /** Ends it behind the call under way, if that one ends. */
  synchronized void end() {
    endedNanos = System.nanoTime();
    ended = true;
  }
}
