package io.galop.persist;

import io.galop.bus.Begun;
import io.galop.bus.Offer;
import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.bus.Seal;
import io.galop.bus.Sealed;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.persist.ownership.ShardEffect;
import io.galop.persist.ownership.ShardEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * What other nodes ask and are told about the ownership of a shard: makes events of their requests,
 * and answers them as the effects say. On the shard's event loop.
 */
final class OwnershipAnswers {
  private final Node node;
  private final PersistStorage storage;
  private final int shard;
  private final ShardOwner owner;
  private final Consumer<ShardEvent> events;

  /** Who waits for an answer, by the request that the events and effects name. */
  private final Map<Long, Promise<Sealed>> seals = new HashMap<>();

  private final Map<Long, Promise<Void>> others = new HashMap<>();
  private long lastRequest;

  OwnershipAnswers(
      Node node, PersistStorage storage, int shard, ShardOwner owner, Consumer<ShardEvent> events) {
    this.node = node;
    this.storage = storage;
    this.shard = shard;
    this.owner = owner;
    this.events = events;
  }

  /** The ids of all members that a node sees. */
  static Set<String> present(Node node) {
    return node.bus().cluster().members().stream().map(Member::id).collect(Collectors.toSet());
  }

  /** Another node holds the shard and this one should: takes it, unless it is about to anyway. */
  Future<Void> onOffer(Offer offer) {
    Set<String> present = present(node);
    return request(
        others,
        request ->
            new ShardEvent.Offered(
                request, offer.holder(), offer.epoch(), offer.isLeaving(), present));
  }

  /** Another node begins an epoch: the next one here is larger. */
  Future<Void> onBegun(Begun begun) {
    learnLog(begun);
    boolean isDoubtHeard = begun.heard() > 0 && begun.log() != 0;
    events.accept(
        new ShardEvent.OtherBegan(begun.epoch(), begun.owner(), begun.heard(), isDoubtHeard));
    return Future.succeededFuture();
  }

  /**
   * Of a node that is back with another Log that is learned when it owns the shard, and has heard
   * what this node had to say to that.
   */
  private void learnLog(Begun begun) {
    name(begun.owner())
        .filter(name -> begun.heard() > 0 || !storage.isLogReplaced(shard, name, begun.log()))
        .ifPresent(name -> storage.learnLog(shard, name, begun.log()));
  }

  private Optional<String> name(String id) {
    return node.bus().cluster().members().stream()
        .filter(member -> member.id().equals(id))
        .map(Member::name)
        .findFirst();
  }

  /**
   * Another node takes the shard: answers when what was placed here is on disk. Whoever asks may
   * own something by then; while this node does not see that, it would take the shard back.
   */
  Future<Sealed> onSeal(Seal seal) {
    node.bus().cluster().lookForOpened();
    return request(seals, request -> asked(request, seal.newOwner(), isReplaced(seal)));
  }

  /** This node leaves: answers when who owns the shard then has taken it, or nobody does. */
  Future<Void> leave() {
    Cluster cluster = node.bus().cluster();
    List<Member> rest =
        cluster.members().stream().filter(member -> !member.equals(cluster.self())).toList();
    Optional<String> next = new Others(cluster, rest).owner(Role.PERSIST, shard).map(Member::id);
    return request(others, request -> new ShardEvent.Leaves(request, next));
  }

  /** An event that had to wait, as things stand now: a seal may have waited for an epoch. */
  ShardEvent asOfNow(ShardEvent event) {
    return event instanceof ShardEvent.SealAsked seal
        ? asked(seal.request(), seal.newOwner(), seal.isReplaced())
        : event;
  }

  private ShardEvent asked(long request, String newOwner, boolean isReplaced) {
    boolean isSeen = sees(newOwner);
    long newest = storage.memory(shard).epochs().newest();
    return new ShardEvent.SealAsked(request, newOwner, isSeen, newest, isReplaced);
  }

  private boolean isReplaced(Seal seal) {
    return name(seal.newOwner())
        .filter(name -> storage.isLogReplaced(shard, name, seal.log()))
        .isPresent();
  }

  /** Whether this node sees who asks, and would not take the shard back at once. */
  private boolean sees(String newOwner) {
    Cluster cluster = node.bus().cluster();
    boolean isOwn = cluster.owns(Role.PERSIST, shard);
    return cluster.members().stream()
        .anyMatch(member -> member.id().equals(newOwner) && !(isOwn && member.isOpening()));
  }

  private <T> Future<T> request(Map<Long, Promise<T>> waiting, LongFunction<ShardEvent> event) {
    long request = ++lastRequest;
    Promise<T> answer = Promise.promise();
    waiting.put(request, answer);
    events.accept(event.apply(request));
    return answer.future();
  }

  /** Who has offered the shard, and waits for an answer to that. */
  Promise<Void> holder(ShardEffect.AcceptOffer accept) {
    return others.remove(accept.request());
  }

  /** Runs an effect that answers or tells another node; returns whether it is one. */
  boolean run(ShardEffect effect) {
    if (effect instanceof ShardEffect.AnswerSeal seal) {
      answer(seal);
    } else if (effect instanceof ShardEffect.RefuseSeal refuse) {
      String unseen = "node " + node.bus().cluster().self().name() + " does not see who asks";
      seals.remove(refuse.request()).fail(new Refusal(Why.NOT_MEMBER, unseen));
    } else if (effect instanceof ShardEffect.RefuseLater refuse) {
      seals.remove(refuse.request()).fail(new Refusal(Why.NOT_READY, "an epoch begins"));
    } else if (effect instanceof ShardEffect.RefuseOffer refuse) {
      Refusal refusal = new Refusal(Why.NOT_READY, "not seen, or itself about to leave");
      others.remove(refuse.request()).fail(refusal);
    } else if (effect instanceof ShardEffect.Done done) {
      others.remove(done.request()).complete();
    } else if (effect instanceof ShardEffect.HandOver over) {
      Promise<Void> leaver = others.remove(over.request());
      offer(over.to(), over.epoch(), over.isOwner()).otherwiseEmpty().onComplete(leaver);
    } else if (effect instanceof ShardEffect.OfferTo offer) {
      offer(offer.to(), offer.epoch(), false);
    } else if (effect instanceof ShardEffect.TellHeard tell) {
      tell.heard().forEach((to, heard) -> tell(to, tell.epoch(), heard));
    } else {
      return false;
    }
    return true;
  }

  private void answer(ShardEffect.AnswerSeal seal) {
    Promise<Sealed> asker = seals.remove(seal.request());
    owner
        .durability()
        .settled()
        .map(
            settled ->
                new Sealed(
                    seal.isHeld(),
                    owner.durability().last(),
                    seal.newestEpoch(),
                    storage.log().id(),
                    seal.isDoubting(),
                    seal.isInformed()))
        .onComplete(asker);
  }

  private Future<Void> offer(String to, long epoch, boolean isLeaving) {
    Offer offer = new Offer(shard, node.bus().cluster().self().id(), epoch, isLeaving);
    return node.bus().handover().offer(to, offer);
  }

  /** If it is lost the other offers its records again, and is told again. */
  private void tell(String to, long epoch, long heard) {
    String self = node.bus().cluster().self().id();
    Begun begun = new Begun(shard, epoch, self, heard, storage.log().id());
    node.bus().handover().begun(to, begun);
  }
}
