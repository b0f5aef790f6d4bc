package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.Function;

/** The traffic between the owners of shards and the broadcast nodes. */
public final class FeedLane {
  private final Replies replies;
  private final Cluster cluster;
  private final DeliveryOptions attempt;

  FeedLane(Replies replies, Cluster cluster, long attemptTimeoutMs) {
    this.replies = replies;
    this.cluster = cluster;
    this.attempt = new DeliveryOptions().setSendTimeout(attemptTimeoutMs);
  }

  /**
   * Who a shard's owner is and which way leads there, to be compared: another text is another one
   * of these. Empty if there is no owner, or no way.
   */
  public String owner(int shard) {
    return cluster.owner(Role.PERSIST, shard).map(Member::id).map(replies::way).orElse("");
  }

  /** Whether the way to what {@link #owner} once gave has been cut: then it is not heard there. */
  public boolean isCut(String owner) {
    return replies.isCut(owner);
  }

  /** Broadcast node → owner: push what comes after a Position. Fails with a {@link Refusal}. */
  public Future<Followed> follow(Follow follow) {
    return toOwner(Lane.FOLLOW, follow.since().shard(), follow);
  }

  /** The same for a relay that this node dials. */
  Future<Followed> followFor(Follow follow) {
    return toFeeder(Lane.FOLLOW, follow.since().shard(), follow);
  }

  /** Owner, or who stands in for it: takes what {@link #follow} asks. */
  public MessageConsumer<Follow> onFollow(int shard, Function<Follow, Future<Followed>> handler) {
    return replies.consume(own(Lane.FOLLOW, shard), handler);
  }

  /**
   * Broadcast node → owner: the latest record of each topic of the shard, in pages. {@link
   * Page#upTo} of the first page is the head that the whole answer is as of or newer than.
   */
  public Future<Page> latest(Ask ask) {
    return toOwner(Lane.LATEST, ask.shard(), ask);
  }

  /**
   * Relay → owner: the same of the topics that some filters mean; perhaps of others, too.
   *
   * @param filters none: only {@link Page#upTo} is wanted
   */
  public Future<Page> values(Ask ask, List<String> filters) {
    return cluster
        .owner(Role.PERSIST, ask.shard())
        .map(owner -> values(owner.id(), new Errand.Values(ask, filters)))
        .orElseGet(FeedLane::noOwner);
  }

  private Future<Page> values(String owner, Errand.Values values) {
    long timeoutMs = attempt.getSendTimeout();
    return replies
        .<Page>carried(new Errand(Errand.Kind.VALUES, owner, timeoutMs, values))
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }

  /** Whether what comes from a shard's owner leaves out what is not wanted, and takes values(). */
  public boolean leavesOut(int shard) {
    return cluster
        .owner(Role.PERSIST, shard)
        .map(Member::id)
        .filter(replies::leavesOut)
        .isPresent();
  }

  /**
   * Relay → all nodes that have dialled it: which records it wants. Holds for what is asked or
   * followed afterwards; each {@link Push.Part} names the version that it follows.
   */
  public void want(Errand.Want want) {
    replies.want(want);
  }

  /** The same for a relay that this node dials. */
  Future<Page> latestFor(Ask ask) {
    return toFeeder(Lane.LATEST, ask.shard(), ask);
  }

  /** Owner, or who stands in for it: takes what {@link #latest} asks. */
  public MessageConsumer<Ask> onLatest(int shard, Function<Ask, Future<Page>> handler) {
    return replies.consume(own(Lane.LATEST, shard), handler);
  }

  /** Broadcast node → owner: what came after {@link Ask#since}, oldest first, in pages. */
  public Future<Page> fetch(Ask ask) {
    return toOwner(Lane.FETCH, ask.shard(), ask);
  }

  /** The same from a given node, such as one that has just sealed the shard. */
  public Future<Page> fetchFrom(String node, Ask ask) {
    return request(node, Addresses.of(node, Lane.FETCH, ask.shard()), ask);
  }

  /** Owner: takes what {@link #fetch} asks. */
  public MessageConsumer<Ask> onFetch(int shard, Function<Ask, Future<Page>> handler) {
    return replies.consume(own(Lane.FETCH, shard), handler);
  }

  /**
   * Owner → broadcast node. Succeeds when the node has taken it, which is the credit for more.
   *
   * @param follower the {@link Follow#node} that asked for it
   */
  public Future<Void> push(String follower, Push push) {
    return this.<Void>request(Addresses.node(follower), Addresses.push(follower), push).mapEmpty();
  }

  /** Broadcast node: takes what {@link #push} hands over, for all shards. */
  public MessageConsumer<Push> onPush(Function<Push, Future<Void>> handler) {
    return replies.consume(Addresses.of(cluster.self().id(), Lane.PUSH), handler);
  }

  private String own(Lane lane, int shard) {
    return Addresses.of(cluster.self().id(), lane, shard);
  }

  private <A> Future<A> toOwner(Lane lane, int shard, Object message) {
    return cluster
        .owner(Role.PERSIST, shard)
        .map(owner -> this.<A>request(owner.id(), Addresses.of(owner.id(), lane, shard), message))
        .orElseGet(FeedLane::noOwner);
  }

  /** To whoever feeds a relay that this node dials: a relay stands in for the owner itself. */
  private <A> Future<A> toFeeder(Lane lane, int shard, Object message) {
    return cluster.relays().isEmpty()
        ? toOwner(lane, shard, message)
        : request(cluster.self().id(), own(lane, shard), message);
  }

  private static <A> Future<A> noOwner() {
    return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "the shard has no owner"));
  }

  private <A> Future<A> request(String node, String address, Object message) {
    return replies
        .<A>request(node, address, message, attempt)
        .recover(failure -> Future.failedFuture(Refusal.of(failure)));
  }
}
