package io.galop.persist;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.Replicate;
import io.galop.bus.Replicated;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ram.Resume;
import io.galop.persist.ram.ShardMemory;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second copy of an owned shard on the node that would own it if this one were gone, and
 * knows how far it is on that node's disk. What is under way is bounded; beyond, the copy is read
 * from the RAM tier. On the shard's event loop.
 */
final class Replication {
  private static final Logger LOG = LoggerFactory.getLogger(Replication.class);
  private static final int CHUNK_BYTES = 256 * 1024;
  private static final int WINDOW_BYTES = 4 * 1024 * 1024;

  /** A second node that comes back is asked by all shards of all owners: not in step. */
  private static final long FIRST_RETRY_MS = 200;

  private static final long LONGEST_RETRY_MS = 800;

  /** A node whose Log has failed has to be started anew, and is another member then. */
  private static final long UNFIT_NS = TimeUnit.SECONDS.toNanos(30);

  /** Batches that wait for their copy; more are refused before they are placed. */
  private static final int MOST_WAITING = 16_384;

  private final Loop loop = Loop.current();
  private final Node node;
  private final int shard;
  private final Durability durability;
  private LongPredicate isBeyond = epoch -> false;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private Optional<ShardMemory> memory = Optional.empty();
  private Optional<Member> target = Optional.empty();
  private boolean isLive;
  private boolean follows;
  private boolean isRetryDue;
  private final Backoff retries = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  private long session;
  private long underWayBytes;
  private Position sent;
  private Position confirmed;

  /** Nodes whose own Log has failed, and until when they are not asked again. */
  private final Map<String, Long> unfit = new HashMap<>();

  private record Waiting(Position end, Promise<Void> copied) {}

  Replication(Node node, int shard, Durability durability) {
    this.node = node;
    this.shard = shard;
    this.durability = durability;
    this.sent = Position.none(shard);
    this.confirmed = sent;
  }

  /**
   * The shard is owned, in a new epoch.
   *
   * @param isNewest whether that is larger than one that another node has; else a larger one begins
   */
  void begin(ShardMemory owned, LongPredicate isNewest) {
    loop.check();
    isBeyond = isNewest;
    memory = Optional.of(owned);
    confirmed = Position.none(shard);
    connect();
  }

  /** The shard is no longer owned: whoever waits has to ask the next owner. */
  void end() {
    loop.check();
    memory = Optional.empty();
    target = Optional.empty();
    session = 0;
    isLive = false;
    Refusal refusal = new Refusal(Why.NOT_READY, "shard " + shard + " goes to another owner");
    while (!waiting.isEmpty()) {
      waiting.poll().copied().fail(refusal);
    }
  }

  /** Why nothing can be acknowledged; empty if a second node is there. */
  Optional<Refusal> refusal() {
    if (second().isEmpty()) {
      return refuse(
          Why.NOT_READY,
          "persist.ack is replica, and there is no second node with the role persist");
    }
    return waiting.size() < MOST_WAITING
        ? Optional.empty()
        : refuse(Why.BUSY, "the second node is " + MOST_WAITING + " Batches behind");
  }

  private static Optional<Refusal> refuse(Why why, String message) {
    return Optional.of(new Refusal(why, message));
  }

  private Optional<Member> second() {
    Cluster cluster = node.bus().cluster();
    List<Member> others =
        cluster.members().stream().filter(member -> !member.equals(cluster.self())).toList();
    List<Member> fit = others.stream().filter(member -> !isUnfit(member.id())).toList();
    Optional<Member> second = new Others(cluster, fit).owner(Role.PERSIST, shard);
    return second.isPresent() ? second : new Others(cluster, others).owner(Role.PERSIST, shard);
  }

  private boolean isUnfit(String member) {
    Long untilNs = unfit.get(member);
    return untilNs != null && System.nanoTime() - untilNs < 0;
  }

  /** Who keeps the copy may have changed. */
  void check() {
    loop.check();
    if (memory.isPresent() && (!isLive || !second().equals(target))) {
      connect();
    }
  }

  /** Succeeds when the copy is on disk up to a Position. */
  Future<Void> copied(Position end) {
    loop.check();
    if (isLive && confirmed.compareTo(end) >= 0) {
      return Future.succeededFuture();
    }
    Waiting newest = waiting.peekLast();
    if (newest != null && newest.end().equals(end)) {
      return newest.copied().future();
    }
    Promise<Void> copied = Promise.promise();
    waiting.add(new Waiting(end, copied));
    return copied.future();
  }

  private void connect() {
    target = second();
    session = ThreadLocalRandom.current().nextLong();
    underWayBytes = 0;
    isLive = false;
    long mine = session;
    target.ifPresent(
        to ->
            request(to, new Batch(shard, memory.get().tail().head().epoch(), 0, List.of()), true)
                .onSuccess(copy -> onConnected(mine, copy.last()))
                .onFailure(failure -> onLost(mine, failure)));
  }

  private Future<Replicated> request(Member to, Batch batch, boolean following) {
    String self = node.bus().cluster().self().id();
    Replicate next = new Replicate(self, session, following, durability.last(), batch);
    return node.bus().replica().replicate(to.id(), next);
  }

  private void onConnected(long mine, Position last) {
    loop.check();
    if (mine != session || memory.isEmpty() || !isBeyond.test(last.epoch())) {
      return; // what has a smaller epoch would be taken for known there, and not kept
    }
    Resume resume = memory.get().resume(last);
    boolean isEmpty = last.isNone() && memory.get().tail().floor().isNone();
    sent = last.isNone() ? memory.get().tail().floor() : resume.from();
    follows = isEmpty || !last.isNone() && resume.complete();
    confirmed = sent;
    isLive = true;
    retries.reset();
    if (!follows) {
      LOG.warn("the second copy of shard {} begins with what is in memory, at {}", shard, sent);
    }
    release();
    pump();
  }

  /** A Batch was placed after {@code before}. */
  void onAppend(Position before, Batch placed, int bytes) {
    loop.check();
    if (!isLive) {
      return;
    }
    if (sent.equals(before) && underWayBytes < WINDOW_BYTES) {
      push(placed, bytes);
    } else {
      pump();
    }
  }

  private void pump() {
    while (isLive && underWayBytes < WINDOW_BYTES && !sent.equals(memory.get().tail().head())) {
      if (!memory.get().holdsAfter(sent) && !sent.equals(memory.get().tail().floor())) {
        onLost(session, new Refusal(Why.NOT_CONTINUOUS, "memory has gone past the copy"));
        return;
      }
      Batch due = memory.get().after(sent, CHUNK_BYTES);
      if (due.records().isEmpty()) {
        onNothingDue();
        return;
      }
      push(due, due.approximateBytes());
    }
  }

  /** An epoch has begun without a record yet. */
  private void onNothingDue() {
    if (underWayBytes == 0) {
      sent = memory.get().tail().head();
      confirmed = sent;
      release();
    }
  }

  private void push(Batch batch, int bytes) {
    long mine = session;
    Position end = batch.position(batch.records().size() - 1);
    sent = end;
    underWayBytes += bytes;
    Future<Replicated> copy = request(target.orElseThrow(), batch, follows);
    follows = true;
    copy.onSuccess(done -> onCopied(mine, end, bytes)).onFailure(failure -> onLost(mine, failure));
  }

  private void onCopied(long mine, Position end, int bytes) {
    loop.check();
    if (mine == session) {
      underWayBytes -= bytes;
      confirmed = end;
      release();
      pump();
    }
  }

  /** How many Batches wait for the copy. */
  int waiting() {
    return waiting.size();
  }

  /** The name of the node that has a copy; none unless acknowledgements wait for it. */
  Optional<String> copier() {
    loop.check();
    return isLive ? target.map(Member::name) : Optional.empty();
  }

  private void release() {
    while (!waiting.isEmpty() && waiting.peek().end().compareTo(confirmed) <= 0) {
      waiting.poll().copied().complete();
    }
  }

  private void onLost(long mine, Throwable failure) {
    loop.check();
    if (mine != session) {
      return;
    }
    LOG.debug("the copy of shard {} is interrupted: {}", shard, failure.getMessage());
    if (failure instanceof Refusal refusal && refusal.why() == Why.LOG_FAILED) {
      target.ifPresent(to -> unfit.put(to.id(), System.nanoTime() + UNFIT_NS));
    }
    isLive = false;
    session = 0;
    if (!isRetryDue) {
      isRetryDue = true;
      loop.vertx().setTimer(retries.nextMs(), timer -> onRetry());
    }
  }

  private void onRetry() {
    isRetryDue = false;
    check();
  }
}
