package io.galop.bus;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to nodes. What a node that leaves has not answered fails at that moment, not when its
 * time is over: nobody will answer it, and another node may do what was asked. Vert.x itself tells
 * nothing of a connection that broke. What the node asks itself goes by {@link Direct}. Bounded by
 * what the lanes have under way.
 */
final class Requests {
  private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

  /** One look at all that is under way, instead of a timer for each: an answer may be so late. */
  private static final long LOOK_MS = 50;

  private final Vertx vertx;
  private final Cluster cluster;
  private final String self;
  private final Direct direct;

  /** Of no verticle: a timer of one ends with it. */
  private final Context timers;

  private final Map<String, Set<UnderWay>> byNode = new ConcurrentHashMap<>();
  private final Set<UnderWay> toSelf = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isWatching = new AtomicBoolean();

  /** Compared by identity: each request is one of its own. */
  private final class UnderWay {
    private final Member to;
    private final String address;
    private final Loop asker = Loop.current(vertx);
    private final Promise<Object> answer = Promise.promise();
    private final long timeoutMs;
    private final long sentNanos = System.nanoTime();

    private UnderWay(Member to, String address, long timeoutMs) {
      this.to = to;
      this.address = address;
      this.timeoutMs = timeoutMs;
    }

    private void fail() {
      Refusal gone = Refusal.left("node " + to.name() + " has left the cluster");
      asker.later(() -> answer.tryFail(gone));
    }

    /** The event bus has no timer for what does not go over it. */
    private void failIfLate(long nowNanos) {
      if (nowNanos - sentNanos >= TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
        onDirectAnswer(null, late());
      }
    }

    /** At once if the asker's loop is where the answer is, which is not told of what he throws. */
    private void onDirectAnswer(@Nullable Object value, @Nullable Throwable failure) {
      if (!toSelf.remove(this)) {
        return;
      }
      try {
        asker.emit(() -> settle(value, failure));
      } catch (RejectedExecutionException e) {
        LOG.debug("nobody hears the answer of {}: the node has stopped", address);
      }
    }

    private void settle(@Nullable Object value, @Nullable Throwable failure) {
      if (failure == null) {
        answer.tryComplete(value);
      } else {
        answer.tryFail(failure);
      }
    }

    private void onReply(Message<?> reply, Throwable failure) {
      settle(failure == null ? reply.body() : null, failure == null ? null : named(failure));
    }

    /** Vert.x names an address that it made up for the answer. */
    private Throwable named(Throwable failure) {
      ReplyFailure type = failure instanceof ReplyException reply ? reply.failureType() : null;
      if (type == ReplyFailure.TIMEOUT) {
        return late();
      }
      return type == ReplyFailure.NO_HANDLERS
          ? new Refusal(
              Refusal.Why.NOT_READY, asked() + "has no consumer for it: it is starting or stopping")
          : failure;
    }

    private Refusal late() {
      return Refusal.late(
          asked()
              + "has not answered within "
              + timeoutMs
              + " ms: it stands still, has too much to do, or cannot be reached");
    }

    private String asked() {
      return "node " + to.name() + ", asked " + Addresses.question(address) + ", ";
    }
  }

  Requests(Vertx vertx, Cluster cluster, Direct direct) {
    this.vertx = vertx;
    this.cluster = cluster;
    this.self = cluster.self().id();
    this.direct = direct;
    this.timers = vertx.getOrCreateContext();
    cluster.onChange(this::onMembers);
  }

  /** Sends a request; its answer, or why there is none: a {@link Refusal} or of Vert.x. */
  @SuppressWarnings("unchecked")
  <A> Future<A> send(String node, String address, Object message, DeliveryOptions options) {
    Member to = find(node);
    if (to == null) {
      return Future.failedFuture(Refusal.left("node " + node + " is not in the cluster"));
    }
    UnderWay request = new UnderWay(to, address, options.getSendTimeout());
    Direct.Target own = node.equals(self) ? direct.find(address) : null;
    if (own == null) {
      overBus(request, message, options);
    } else {
      toSelf.add(request);
      watch();
      own.ask(message, request::onDirectAnswer);
    }
    return (Future<A>) request.answer.future();
  }

  private void overBus(UnderWay request, Object message, DeliveryOptions options) {
    String node = request.to.id();
    byNode.computeIfAbsent(node, id -> ConcurrentHashMap.newKeySet()).add(request);
    if (find(node) == null) { // it left just now, and its requests may have been failed before
      onMembers(cluster.members());
      request.fail();
    }
    vertx
        .eventBus()
        .request(request.address, message, options)
        .onComplete(
            (reply, failure) -> {
              ended(node, request);
              request.onReply(reply, failure);
            });
  }

  /** Looks for what is late, for as long as anything is under way to the node itself. */
  private void watch() {
    if (!isWatching.get() && isWatching.compareAndSet(false, true)) {
      timers.runOnContext(soon -> vertx.setTimer(LOOK_MS, due -> look()));
    }
  }

  private void look() {
    try {
      long nowNanos = System.nanoTime();
      toSelf.forEach(request -> request.failIfLate(nowNanos));
    } finally {
      isWatching.set(false);
      if (!toSelf.isEmpty()) {
        watch();
      }
    }
  }

  /** Asked for each request, so without a stream; null if it is not there. */
  private @Nullable Member find(String node) {
    for (Member member : cluster.members()) {
      if (member.id().equals(node)) {
        return member;
      }
    }
    return null;
  }

  private void ended(String node, UnderWay request) {
    Set<UnderWay> requests = byNode.get(node);
    if (requests != null) {
      requests.remove(request);
    }
  }

  private void onMembers(List<Member> members) {
    Set<String> there = members.stream().map(Member::id).collect(Collectors.toSet());
    for (String node : byNode.keySet()) {
      if (!there.contains(node)) {
        byNode.remove(node).forEach(UnderWay::fail);
      }
    }
  }

  /** How many have not been answered. */
  int underWay() {
    return toSelf.size() + byNode.values().stream().mapToInt(Set::size).sum();
  }
}
