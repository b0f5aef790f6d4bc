package io.galop.bus;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests to nodes. What a node that leaves has not answered fails at that moment, not when its
 * time is over: nobody will answer it, and another node may do what was asked. Vert.x itself tells
 * nothing of a connection that broke. Bounded by what the lanes have under way.
 */
final class Requests {
  private final Vertx vertx;
  private final Cluster cluster;
  private final Map<String, Set<UnderWay>> byNode = new ConcurrentHashMap<>();

  /** Compared by identity: each request is one of its own. */
  private final class UnderWay {
    private final Member to;
    private final String address;
    private final Context context = vertx.getOrCreateContext();
    private final Promise<Object> answer = Promise.promise();

    private UnderWay(Member to, String address) {
      this.to = to;
      this.address = address;
    }

    private void fail() {
      Refusal gone = refusal("node " + to.name() + " has left the cluster");
      context.runOnContext(now -> answer.tryFail(gone));
    }

    private void onReply(Message<?> reply, Throwable failure, long timeoutMs) {
      if (failure == null) {
        answer.tryComplete(reply.body());
      } else {
        answer.tryFail(named(failure, timeoutMs));
      }
    }

    /** Vert.x names an address that it made up for the answer. */
    private Throwable named(Throwable failure, long timeoutMs) {
      ReplyFailure type = failure instanceof ReplyException reply ? reply.failureType() : null;
      String asked = "node " + to.name() + ", asked " + Addresses.question(address) + ", ";
      if (type == ReplyFailure.TIMEOUT) {
        return refusal(
            asked
                + "has not answered within "
                + timeoutMs
                + " ms: it stands still, has too much to do, or cannot be reached");
      }
      return type == ReplyFailure.NO_HANDLERS
          ? refusal(asked + "has no consumer for it: it is starting or stopping")
          : failure;
    }
  }

  private static Refusal refusal(String why) {
    return new Refusal(Refusal.Why.NOT_READY, why);
  }

  Requests(Vertx vertx, Cluster cluster) {
    this.vertx = vertx;
    this.cluster = cluster;
    cluster.onChange(this::onMembers);
  }

  /** Sends a request; its answer, or why there is none: a {@link Refusal} or of Vert.x. */
  @SuppressWarnings("unchecked")
  <A> Future<A> send(String node, String address, Object message, DeliveryOptions options) {
    Member to = find(node);
    if (to == null) {
      return Future.failedFuture(refusal("node " + node + " is not in the cluster"));
    }
    UnderWay request = new UnderWay(to, address);
    byNode.computeIfAbsent(node, id -> ConcurrentHashMap.newKeySet()).add(request);
    if (find(node) == null) { // it left just now, and its requests may have been failed before
      onMembers(cluster.members());
      request.fail();
    }
    vertx
        .eventBus()
        .request(address, message, options)
        .onComplete(
            (reply, failure) -> {
              ended(node, request);
              request.onReply(reply, failure, options.getSendTimeout());
            });
    return (Future<A>) request.answer.future();
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
    return byNode.values().stream().mapToInt(Set::size).sum();
  }
}
