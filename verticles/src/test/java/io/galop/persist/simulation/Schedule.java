package io.galop.persist.simulation;

import io.galop.persist.ownership.ShardState.Owning;
import io.galop.record.Position;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What happens to one simulated cluster, all of it from a seed. */
final class Schedule {
  private static final long SETTLE_MS = 120_000;
  private static final int MAX_NODES = 5;

  private final World world;
  private final Random random;
  private final StringBuilder story = new StringBuilder();

  private Schedule(long seed, Mutant mutant) {
    this.world = new World(seed, mutant);
    this.random = world.random;
  }

  /**
   * Runs it.
   *
   * @throws Violation if a promise is broken; its message names the seed
   */
  static void run(long seed, Mutant mutant) {
    Schedule schedule = new Schedule(seed, mutant);
    try {
      schedule.run();
    } catch (RuntimeException e) {
      Violation found =
          new Violation(
              "seed %d, after %d ms: %s%n%s"
                  .formatted(seed, schedule.world.clock.nowMs(), e.getMessage(), schedule.story));
      found.initCause(e);
      throw found;
    } finally {
      schedule.world.close();
    }
  }

  private void run() {
    world.begin(2 + random.nextInt(3), 2);
    world.clock.runUntil(5_000);
    weather();
    int actions = 3 + random.nextInt(18);
    for (int i = 0; i < actions; i++) {
      act();
      world.clock.runUntil(world.clock.nowMs() + 200 + random.nextInt(6_000));
    }
    end();
  }

  private void weather() {
    switch (random.nextInt(4)) {
      case 0 -> world.network.weather(0, 0, 20);
      case 1 -> world.network.weather(0.01, 0.05, 50);
      case 2 -> world.network.weather(0.1, 0.1, 300);
      default -> world.network.weather(0.02, 0.02, 3_000);
    }
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void tell(String what) {
    story.append("  %7d %s%n".formatted(world.clock.nowMs(), what));
  }

  private void act() {
    SimulatedNode node = any(world.nodes);
    Optional<StoringProcess> process = node.process();
    switch (random.nextInt(16)) {
      case 0, 1 -> crash(node, true);
      case 2 -> crash(node, random.nextInt(4) > 0);
      case 3, 4, 5 -> {
        tell("starts " + node.name);
        node.start();
      }
      case 6 -> {
        tell("stops " + node.name);
        process.ifPresent(StoringProcess::stop);
      }
      case 7, 8 -> pause(node);
      case 9 -> cut(node, true, true);
      case 10 -> cut(node, random.nextBoolean(), random.nextBoolean());
      case 11, 12 -> {
        tell("network heals");
        world.network.heal();
        weather();
      }
      case 13 -> {
        tell("next fsync of " + node.name + " fails, or its disk is slow");
        if (random.nextBoolean()) {
          node.disk.failNext();
        } else {
          node.disk.slow(random.nextBoolean());
        }
      }
      case 14 -> {
        any(world.viewers).disconnect(random.nextInt(random.nextBoolean() ? 2 : 60_000));
        process.ifPresent(one -> one.age(Math.max(0, random.nextInt(3) - 1) * 3_600_000L));
      }
      default -> join();
    }
  }

  private void crash(SimulatedNode node, boolean keepsDisk) {
    tell("crashes " + node.name + (keepsDisk ? "" : " and loses its disk"));
    node.crash(keepsDisk);
    if (random.nextBoolean()) {
      node.start();
    }
  }

  private void pause(SimulatedNode node) {
    long ms = 500 + random.nextInt(random.nextBoolean() ? 3_000 : 30_000);
    tell("pauses " + node.name + " for " + ms + " ms");
    node.process().ifPresent(one -> one.pause(ms));
  }

  private void join() {
    if (world.nodes.size() < MAX_NODES) {
      SimulatedNode next = world.addNode();
      tell("joins " + next.name);
      next.start();
    }
  }

  /** Cuts a node off from some others, or all; one way or both. */
  private void cut(SimulatedNode node, boolean out, boolean in) {
    tell("cuts " + (out ? "from " : "") + (in ? "to " : "") + node.name);
    node.process()
        .ifPresent(
            one -> {
              boolean all = random.nextBoolean();
              for (Endpoint other : world.all()) {
                if (other != one && (all || random.nextBoolean())) {
                  if (out) {
                    world.network.cut(one, other);
                  }
                  if (in) {
                    world.network.cut(other, one);
                  }
                }
              }
            });
  }

  /** All comes back, and after a while all has to be well. */
  private void end() {
    tell("all comes back");
    world.network.heal();
    world.network.weather(0, 0, 20);
    for (SimulatedNode node : world.nodes) {
      node.disk.mend();
      node.process().ifPresent(Endpoint::resume);
      if (node.disk.hasFailed()) {
        node.crash(true);
      }
      node.start();
    }
    world.viewers.forEach(Viewer::comeBack);
    world.publishers.forEach(Publisher::end);
    long deadline = world.clock.nowMs() + SETTLE_MS;
    world.clock.runUntil(world.clock.nowMs() + 15_000);
    while (!isQuiet()) {
      if (world.clock.nowMs() > deadline) {
        throw new Violation("it is not settled who owns the shard: " + states());
      }
      for (SimulatedNode node : world.nodes) {
        if (node.disk.hasFailed()) {
          node.crash(true);
        }
        node.start();
      }
      world.clock.runUntil(world.clock.nowMs() + 1_000);
    }
    world.publishers.forEach(Publisher::publish);
    world.clock.runUntil(world.clock.nowMs() + 5_000);
    if (!isQuiet()) {
      throw new Violation("nothing can be published: " + states());
    }
    world.oracle.checkEnd(world.viewers);
    world.nodes.forEach(
        node ->
            node.process()
                .filter(one -> one.state() instanceof Owning)
                .ifPresent(world.oracle::checkTail));
  }

  private boolean isQuiet() {
    List<StoringProcess> owners =
        world.nodes.stream()
            .flatMap(node -> node.process().stream())
            .filter(one -> one.state() instanceof Owning)
            .toList();
    return world.nodes.stream().allMatch(node -> node.process().isPresent())
        && owners.size() == 1
        && owners.get(0).state().known().others().isEmpty()
        && owes() == 0
        && world.publishers.stream().allMatch(one -> one.unacknowledged() == 0)
        && world.viewers.stream().allMatch(one -> isAtHead(one, owners.get(0)));
  }

  /** How many nodes have records of which no owner has heard. */
  private long owes() {
    return world.nodes.stream()
        .flatMap(node -> node.process().stream())
        .filter(one -> !(one.state() instanceof Owning) && one.state().past().isOwed())
        .count();
  }

  private static boolean isAtHead(Viewer viewer, StoringProcess owner) {
    Position head = owner.memory().tail().head();
    return viewer.isLive()
        && owner.memory().epochs().normalize(viewer.last()).filter(head::equals).isPresent();
  }

  private String states() {
    StringBuilder all = new StringBuilder();
    for (SimulatedNode node : world.nodes) {
      all.append("%n    %s: ".formatted(node.name));
      all.append(node.process().map(one -> one.id + " " + one.state()).orElse("down"));
    }
    world.publishers.forEach(one -> all.append(" unacknowledged " + one.unacknowledged()));
    world.viewers.forEach(
        one ->
            all.append(
                " "
                    + one.id
                    + " at "
                    + one.last()
                    + (one.isLive() ? "" : " apart")
                    + " of "
                    + one.owner()));
    return all.toString();
  }
}
