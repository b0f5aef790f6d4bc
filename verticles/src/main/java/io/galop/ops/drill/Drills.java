package io.galop.ops.drill;

import io.galop.config.DrillsConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.ops.drill.CountedLetter.Found;
import io.galop.ops.drill.DrillRun.Way;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The drills of a node, one after the other. On one event loop. */
public final class Drills {
  private static final int MOST_KEPT = 20;
  private static final String PART = "drill";
  private static final List<DrillFault> FAULTS =
      List.of(
          DrillFault.DOUBLED,
          DrillFault.LOST,
          DrillFault.LATE,
          DrillFault.REFUSED,
          DrillFault.SILENT);

  private final Node node;
  private final Loop loop;
  private final DrillsConfig config;
  private final DrillMeters meters;
  private final DrillTopics topics;
  private final DrillRuns runs;
  private final LedgerWatch ledger;

  /** Tells the ids of this process from those of the one before it. */
  private final String nonce = UUID.randomUUID().toString().substring(0, 8);

  private final Deque<Ended> ended = new ArrayDeque<>();
  private final Map<Long, Found> inLedger = new HashMap<>();
  private long number;
  private boolean isUnderWay;

  /** What the Ledger has not counted when it was looked last; empty: nothing. */
  private String uncounted = "";

  /** A round that is over. */
  record Ended(
      Instant at, long tookMs, String door, Set<DrillStage> transports, DrillVerdict verdict) {}

  /** The drills of a node, the first of them after the configured time. */
  public Drills(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.config = node.config().drills();
    this.meters = new DrillMeters(node.meters());
    this.topics =
        new DrillTopics(name(), node.bus().cluster().shards(), () -> node.config().broadcast());
    this.runs = new DrillRuns(node, loop);
    this.ledger = new LedgerWatch(node, loop, this::onCounted);
    runs.onRelayed(this::onRelayed);
    if (config.everyMs() > 0 && off().isEmpty()) {
      loop.vertx().setPeriodic(config.everyMs(), due -> onTime());
    }
  }

  /** Why this node has none; empty: it has. */
  public String off() {
    return runs.off();
  }

  /** Whether one is under way. */
  public boolean isUnderWay() {
    return isUnderWay;
  }

  /** A node that is not ready says so by itself. */
  private void onTime() {
    if (!isUnderWay && node.readiness().isReady()) {
      run(due());
    }
  }

  private DrillFault due() {
    int every = config.faultEvery();
    long next = number + 1;
    List<DrillFault> possible = FAULTS.stream().filter(this::isPossible).toList();
    return every == 0 || next % every != 0 || possible.isEmpty()
        ? DrillFault.NONE
        : possible.get((int) (next / every % possible.size()));
  }

  /** Whether a fault can be planted here: somebody has to see it. */
  public boolean isPossible(DrillFault fault) {
    boolean isSeen = !runs.transports().isEmpty();
    boolean isOfRelays = fault == DrillFault.LOST || fault == DrillFault.DOUBLED;
    return fault == DrillFault.NONE
        || isOfRelays && isWatchedByRelays()
        || isSeen && (fault != DrillFault.SILENT || topics.silentMs().isPresent());
  }

  /** As far as the last one has shown. */
  private boolean isWatchedByRelays() {
    return ended.stream().limit(1).anyMatch(last -> last.verdict().isKnownOfRelays());
  }

  /**
   * Runs one now; must not be called while one is under way. Ends when it is over. A record that is
   * to be refused is not planted while a node would show it.
   */
  public Future<Void> run(DrillFault fault) {
    loop.check();
    isUnderWay = true;
    number++;
    Future<Optional<CountedLetter>> before =
        fault == DrillFault.REFUSED ? ledger.before() : Future.succeededFuture(Optional.empty());
    return before
        .compose(
            letter ->
                run(
                    fault == DrillFault.REFUSED && letter.isEmpty() ? DrillFault.NONE : fault,
                    letter))
        .onFailure(this::onBroken);
  }

  private Future<Void> run(DrillFault fault, Optional<CountedLetter> letter) {
    DrillPlan plan =
        new DrillPlan(
            number,
            fault,
            runs.transports(),
            config.withinMs(),
            config.storedWithinMs(),
            topics.silentMs().orElse(0));
    String topic =
        switch (fault) {
          case SILENT -> topics.silent();
          case REFUSED -> topics.refused(number);
          case NONE, DOUBLED, LOST, LATE -> topics.of(number);
        };
    long begun = System.nanoTime();
    return runs.run(plan, new Way(topic, "drill-" + nonce + "-" + number + "-", number))
        .map(
            verdict -> {
              onEnd(plan, verdict, begun);
              if (verdict.isDetected()) {
                letter.ifPresent(one -> inLedger.put(number, ledger.after(number, one)));
              }
              return null;
            });
  }

  /** A drill that cannot even begin: the next one may. */
  private void onBroken(Throwable why) {
    isUnderWay = false;
    node.readiness()
        .warn(
            PART,
            "drill " + number + " could not be run: " + ErrorText.of(why),
            "see GalopDrillFailed in the runbook");
  }

  private void onEnd(DrillPlan plan, DrillVerdict verdict, long begun) {
    isUnderWay = false;
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    keep(new Ended(Instant.now(), tookMs, runs.door(), plan.transports(), verdict));
  }

  /** A node inside has sent one, and this relay's own viewers have watched it. */
  private void onRelayed(long tookMs, DrillVerdict verdict) {
    keep(new Ended(Instant.now(), tookMs, "link", runs.transports(), verdict));
  }

  private void keep(Ended one) {
    DrillVerdict verdict = one.verdict();
    meters.ended(verdict);
    ended.addFirst(one);
    if (ended.size() > MOST_KEPT) {
      inLedger.remove(ended.removeLast().verdict().number());
    }
    tell(verdict);
  }

  private void tell(DrillVerdict last) {
    if (last.isPassed() && uncounted.isEmpty()) {
      node.readiness().calm(PART, "drill " + last.number() + " has passed");
    } else {
      String why = last.isPassed() ? uncounted : last.sentence();
      node.readiness().warn(PART, why, "see GalopDrillFailed in the runbook");
    }
  }

  /** Minutes after the drill; what cannot be known is left. */
  private void onCounted(long of, Found found) {
    inLedger.replace(of, found);
    if (found == Found.UNKNOWN) {
      return;
    }
    boolean isCounted = found == Found.YES;
    String why = "the Ledger has not counted the dead letter of drill " + of + ": ";
    uncounted = isCounted ? "" : why + DrillStage.LEDGER.meaning();
    meters.counted(isCounted);
    tell(ended.getFirst().verdict());
  }

  /** Those that are over, the last first. */
  List<Ended> ended() {
    return List.copyOf(ended);
  }

  /** What the Ledger says of one that was found to be refused; empty: it was not. */
  Optional<Found> inLedger(long number) {
    return Optional.ofNullable(inLedger.get(number));
  }

  /** The node's name in the cluster. */
  String name() {
    return node.bus().cluster().self().name();
  }
}
