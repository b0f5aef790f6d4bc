package io.galop.persist.simulation;

import io.galop.persist.ownership.Known;
import io.galop.persist.ownership.OwnershipRules;
import io.galop.persist.ownership.Past;
import io.galop.persist.ownership.ShardState;
import io.galop.persist.ownership.ShardState.Beginning;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows all that happened, and what must never. */
final class Oracle {
  private final World world;
  private final Map<Position, String> names = new HashMap<>();
  private final Map<Long, String> ownerOfEpoch = new HashMap<>();

  /** When each record was placed last. */
  private final Map<String, Long> placedMs = new HashMap<>();

  private final Map<String, Long> acknowledgedMs = new LinkedHashMap<>();
  private final Set<String> lost = new HashSet<>();

  /** Their fsync failed, and they were on the disk all the same after the restart. */
  private final Set<String> returned = new HashSet<>();

  /** The owner that began last, and what others placed beside it. */
  private String newestOwner = "";

  private final Map<String, Set<String>> beside = new HashMap<>();
  private final Set<String> unreported = new HashSet<>();

  /** Where each record was placed last. */
  private final Map<String, Position> places = new HashMap<>();

  /** Never acknowledged, and placed again when no memory had it: ids go with what is in memory. */
  private final Set<String> forgotten = new HashSet<>();

  Oracle(World world) {
    this.world = world;
  }

  Map<String, Long> acknowledgedMs() {
    return acknowledgedMs;
  }

  long placedMs(String id) {
    return placedMs.getOrDefault(id, 0L);
  }

  /** A Position names one record for ever, and an epoch has one owner. */
  void onPlaced(StoringProcess by, Batch placed) {
    String owner = ownerOfEpoch.putIfAbsent(placed.epoch(), by.id);
    if (owner != null && !owner.equals(by.id)) {
      throw new Violation("two owners in epoch " + placed.epoch() + ": " + owner + ", " + by.id);
    }
    onSeen(placed, by.id);
    for (int i = 0; i < placed.records().size(); i++) {
      String id = placed.records().get(i).id();
      Position before = places.put(id, placed.position(i));
      if (before != null && !acknowledgedMs.containsKey(id) && !isRemembered(id, before)) {
        forgotten.add(id);
      }
      placedMs.put(id, world.clock.nowMs());
      if (isBeside(by)) {
        beside.computeIfAbsent(by.id, key -> new HashSet<>()).add(id);
      }
    }
  }

  private boolean isRemembered(String id, Position at) {
    Position before = new Position(at.shard(), at.epoch(), at.offset() - 1);
    return world.nodes.stream()
        .flatMap(node -> node.process().stream())
        .map(StoringProcess::memory)
        .filter(memory -> memory.holdsAfter(before))
        .anyMatch(
            memory -> SimulatedDisk.ids(memory.after(before, 1 << 20).records()).contains(id));
  }

  private boolean isBeside(StoringProcess by) {
    return !newestOwner.equals(by.id)
        || world.nodes.stream()
            .flatMap(node -> node.process().stream())
            .anyMatch(other -> other != by && other.state() instanceof Owning);
  }

  /** A node begins to place records. */
  void onOwning(StoringProcess owner) {
    newestOwner = owner.id;
    checkTail(owner);
  }

  void onSeen(Batch placed, String by) {
    for (int i = 0; i < placed.records().size(); i++) {
      String id = placed.records().get(i).id();
      String named = names.putIfAbsent(placed.position(i), id);
      if (named != null && !named.equals(id)) {
        throw new Violation(placed.position(i) + " is " + named + ", and " + id + " for " + by);
      }
    }
  }

  /** The publisher has been told that the record is kept. */
  void onAcknowledged(String id) {
    acknowledgedMs.put(id, world.clock.nowMs());
    checkKept(id);
  }

  /**
   * What was placed beside another owner, and nowhere else, is gone before anybody has heard of it:
   * nobody can tell the viewers of the other owner.
   */
  void onDiskLost(Set<String> ids) {
    lost.addAll(ids);
    beside.values().forEach(all -> all.stream().filter(ids::contains).forEach(unreported::add));
  }

  /**
   * A process ends that never lost sight of the others, although they took the shard beside it: a
   * link was cut in one direction. After a restart it does not know that it owes anything.
   */
  void onEnded(StoringProcess ended) {
    if (ended.state().past() instanceof Past.Owed owed && !owed.isApart()) {
      unreported.addAll(beside.getOrDefault(ended.id, Set.of()));
    }
  }

  void onReturned(List<String> ids) {
    returned.addAll(ids);
  }

  private void checkKept(String id) {
    if (!lost.contains(id)
        && world.nodes.stream().noneMatch(node -> node.disk.durableIds.contains(id))) {
      throw new Violation(id + " was acknowledged and is on no disk");
    }
  }

  /**
   * What an owner has after the newest gap: each record once. Of what came back after a failed
   * fsync nobody was told that it is kept, so its publisher may have sent it again meanwhile. What
   * had left every memory when it came again was taken for new.
   */
  void checkTail(StoringProcess owner) {
    ShardMemory memory = owner.memory();
    Set<String> seen = new HashSet<>();
    Position at = memory.tail().floor();
    for (Batch next = memory.after(at, 1 << 20);
        !next.records().isEmpty();
        next = memory.after(at, 1 << 20)) {
      onSeen(next, owner.id);
      for (String id : SimulatedDisk.ids(next.records())) {
        if (!seen.add(id) && !returned.contains(id) && !forgotten.contains(id)) {
          throw new Violation(id + " is twice in the tail of " + owner.id);
        }
      }
      at = next.position(next.records().size() - 1);
    }
  }

  /** After each step of a node. */
  void checkBounds(ShardState state) {
    int others = state.known().others().size();
    int leaving = state.known().leaving().size();
    int deferred = state instanceof Beginning begin ? begin.deferred().size() : 0;
    if (others > Known.MAX_OTHERS
        || leaving > Known.MAX_OTHERS
        || deferred > OwnershipRules.MAX_DEFERRED) {
      throw new Violation(
          "unbounded: %d others, %d leaving, %d deferred".formatted(others, leaving, deferred));
    }
  }

  /** All is quiet: whoever looks has seen everything, or was told that something is missing. */
  void checkEnd(List<Viewer> viewers) {
    acknowledgedMs.keySet().forEach(this::checkKept);
    for (Viewer viewer : viewers) {
      List<String> missing = new ArrayList<>();
      for (String id : acknowledgedMs.keySet()) {
        if (placedMs(id) > viewer.completeSinceMs()
            && !viewer.hasSeen(id)
            && !unreported.contains(id)) {
          missing.add(id);
        }
      }
      if (!missing.isEmpty()) {
        throw new Violation(viewer.id + " was not shown, nor told of a gap: " + missing);
      }
    }
  }
}
