package io.galop.bus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

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
  private static final class UnderWay {
    private final Context context;
    private final Promise<Object> answer = Promise.promise();

    private UnderWay(Context context) {
      this.context = context;
    }

    void fail(Refusal refusal) {
      context.runOnContext(now -> answer.tryFail(refusal));
    }
  }

  Requests(Vertx vertx, Cluster cluster) {
    this.vertx = vertx;
    this.cluster = cluster;
    cluster.onChange(this::onMembers);
  }

  /** Sends a request; its answer, or why there is none: a {@link Refusal} or of Vert.x. */
  @SuppressWarnings("unchecked")
  <A> Future<A> send(String node, String address, Object message, DeliveryOptions options) {
    if (!isThere(node)) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.NOT_READY, "the node is not in the cluster"));
    }
    UnderWay request = new UnderWay(vertx.getOrCreateContext());
    byNode.computeIfAbsent(node, id -> ConcurrentHashMap.newKeySet()).add(request);
    vertx
        .eventBus()
        .request(address, message, options)
        .onComplete(
            reply -> {
              ended(node, request);
              if (reply.succeeded()) {
                request.answer.tryComplete(reply.result().body());
              } else {
                request.answer.tryFail(reply.cause());
              }
            });
    return (Future<A>) request.answer.future();
  }

  /** Asked for each request, so without a stream. */
  private boolean isThere(String node) {
    for (Member member : cluster.members()) {
      if (member.id().equals(node)) {
        return true;
      }
    }
    return false;
  }

  private void ended(String node, UnderWay request) {
    Set<UnderWay> requests = byNode.get(node);
    if (requests != null) {
      requests.remove(request);
    }
  }

  private void onMembers(List<Member> members) {
    Set<String> there = members.stream().map(Member::id).collect(Collectors.toSet());
    Refusal gone = new Refusal(Refusal.Why.NOT_READY, "the node has left the cluster");
    for (String node : byNode.keySet()) {
      if (!there.contains(node)) {
        byNode.remove(node).forEach(request -> request.fail(gone));
      }
    }
  }

  /** How many have not been answered. */
  int underWay() {
    return byNode.values().stream().mapToInt(Set::size).sum();
  }
}
