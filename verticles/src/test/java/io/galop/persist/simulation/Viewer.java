package io.galop.persist.simulation;

import io.galop.bus.Followed;
import io.galop.record.Batch;
import io.galop.record.Position;
import java.util.HashSet;
import java.util.Set;

/**
 * A broadcast node with one viewer, as {@code ShardFeed} follows a shard. That class has timers and
 * a bus of Vert.x, so its rules are repeated here: take only what follows on what one has, ask anew
 * otherwise, and tell of a gap where the owner says that something is missing.
 */
final class Viewer extends Endpoint {
  private final Set<String> seen = new HashSet<>();
  private Position last = Position.none(0);
  private Position newest = last;
  private long newestEpoch;
  private long session;
  private boolean isLive;
  private long completeSinceMs = Long.MAX_VALUE;
  private long heardFromOwnerMs;
  private String owner = "";
  private long awayUntilMs;

  Viewer(World world, String id) {
    super(world, id);
  }

  long completeSinceMs() {
    return completeSinceMs;
  }

  boolean hasSeen(String id) {
    return seen.contains(id);
  }

  boolean isLive() {
    return isLive;
  }

  Position last() {
    return last;
  }

  void tick() {
    String now = world.rightful(this).map(one -> one.id).orElse("");
    if (!now.equals(owner) || world.clock.nowMs() - heardFromOwnerMs > 3_000) {
      attempt();
    }
    later(1_000, this::tick);
  }

  /** Loses the connection, with what is on its way, and comes back with its Position. */
  void disconnect(long ms) {
    session++;
    isLive = false;
    awayUntilMs = world.clock.nowMs() + ms;
  }

  void comeBack() {
    awayUntilMs = 0;
  }

  private void attempt() {
    long mine = ++session;
    isLive = false;
    if (world.clock.nowMs() < awayUntilMs) {
      return;
    }
    heardFromOwnerMs = world.clock.nowMs();
    owner = world.rightful(this).map(one -> one.id).orElse("");
    world
        .rightful(this)
        .ifPresent(
            to -> {
              Position since = last;
              long epoch = newestEpoch;
              world
                  .network
                  .request(this, to, 2_000, () -> to.onFollow(this, mine, since, epoch))
                  .onSuccess(followed -> followed(mine, followed))
                  .onFailure(
                      failure ->
                          later(
                              300,
                              () -> {
                                if (mine == session) {
                                  attempt();
                                }
                              }));
            });
  }

  private void followed(long mine, Answer answer) {
    if (mine != session) {
      return;
    }
    Followed followed = answer.followed();
    world.trace(id, () -> "follows " + owner + " from " + last + ": " + followed);
    if (!followed.complete()) {
      last = Position.none(0); // tells of a gap and loads anew
      attempt();
      return;
    }
    if (last.isNone()) {
      completeSinceMs = answer.atMs();
      newest = followed.from();
    }
    last = followed.from();
    newestEpoch = Math.max(newestEpoch, last.epoch());
    isLive = true;
    heardFromOwnerMs = world.clock.nowMs();
  }

  /** What an owner answers, and when. */
  record Answer(Followed followed, long atMs) {}

  void onPush(long ofSession, Position after, Position head, Batch batch) {
    if (ofSession != session || !isLive) {
      return;
    }
    if (!after.equals(last) && world.mutant != Mutant.PUSH_NOT_CHECKED) {
      attempt();
      return;
    }
    heardFromOwnerMs = world.clock.nowMs();
    newestEpoch = Math.max(newestEpoch, head.epoch());
    world.oracle.onSeen(batch, id);
    for (int i = 0; i < batch.records().size(); i++) {
      last = batch.position(i);
      if (last.compareTo(newest) > 0) {
        newest = last;
        newestEpoch = Math.max(newestEpoch, last.epoch());
        seen.add(batch.records().get(i).id());
      }
    }
  }

  String owner() {
    return owner;
  }
}
