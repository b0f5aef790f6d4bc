package io.galop.loadtest.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Faults without end, drawn from a seed: each kind once in every round, in another order. The same
 * seed with the same kinds, nodes and stores draws the same faults.
 */
final class FaultSchedule {
  private static final List<String> CUTS =
      List.of("all", "inbound", "outbound", "peer", "peer-inbound");
  private static final List<String> CLOCKS =
      List.of("ahead", "behind", "ahead-killed", "behind-killed");
  private static final int LEAST_PAUSE_MS = 1_000;
  private static final int MOST_PAUSE_MS = 5_000;

  private final Random random;
  private final List<FaultKind> kinds;
  private final double shorten;
  private final List<String> storing;
  private final List<String> nodes;
  private final List<String> stores;
  private final Deque<FaultKind> round = new ArrayDeque<>();

  /**
   * @param shorten divides how long faults last
   * @param storing names of nodes that store
   * @param fronts names of nodes that only show
   * @param stores names of stores
   */
  FaultSchedule(
      long seed,
      List<FaultKind> kinds,
      double shorten,
      List<String> storing,
      List<String> fronts,
      List<String> stores) {
    this.random = new Random(seed);
    this.kinds = List.copyOf(kinds);
    this.shorten = shorten;
    this.storing = List.copyOf(storing);
    this.nodes = new ArrayList<>(storing);
    this.nodes.addAll(fronts);
    this.stores = List.copyOf(stores);
  }

  InjectedFault next() {
    if (round.isEmpty()) {
      List<FaultKind> order = new ArrayList<>(kinds);
      Collections.shuffle(order, random);
      round.addAll(order);
    }
    FaultKind kind = round.remove();
    int drawn = kind.leastSeconds() + random.nextInt(kind.mostSeconds() - kind.leastSeconds() + 1);
    int seconds = (int) Math.max(1, Math.round(drawn / shorten));
    return switch (kind) {
      case KILL, FREEZE -> new InjectedFault(kind, one(nodes), "", seconds);
      case JOIN, ROLL -> new InjectedFault(kind, "", "", seconds);
      case CUT -> cut(seconds);
      case DISK -> new InjectedFault(kind, one(storing), "", seconds);
      case CLOCK -> new InjectedFault(kind, one(storing), one(CLOCKS), seconds);
      case STORE -> new InjectedFault(kind, one(stores), one(List.of("killed", "frozen")), seconds);
    };
  }

  /** How long all is well before the next fault. */
  int pauseMs() {
    return LEAST_PAUSE_MS + random.nextInt(MOST_PAUSE_MS - LEAST_PAUSE_MS);
  }

  private InjectedFault cut(int seconds) {
    String target = one(nodes);
    String how = one(CUTS);
    if (how.startsWith("peer")) {
      List<String> others = new ArrayList<>(nodes);
      others.remove(target);
      how += "=" + one(others);
    }
    return new InjectedFault(FaultKind.CUT, target, how, seconds);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
