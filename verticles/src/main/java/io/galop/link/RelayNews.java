package io.galop.link;

import io.galop.bus.Bus;
import io.galop.bus.Errand;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.jvm.ErrorText;
import io.galop.node.DrillReports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a relay is told unasked, and asked: who dials it, whose tokens it is to refuse, who stores,
 * how many viewers it has, and what drills show them. It is told in this order to a relay that has
 * just started, so that nothing flows to viewers who were sent away before. The list goes page by
 * page, each after the answer to the one before, and again if one was not answered. On one event
 * loop.
 */
final class RelayNews {
  private static final Logger LOG = LoggerFactory.getLogger(RelayNews.class);
  private static final long TIMEOUT_MS = 2_000;

  /**
   * Less than whoever asks waits, so that a slow relay does not hide what the node itself knows.
   */
  static final long PRESENCE_MS = 1_000;

  /** Questions that wait for a relay hold up others of their askers. */
  private static final int MOST_PRESENCE = 4;

  /** Of whoever drills: nodes that ask again and again. */
  private static final int MOST_DRILLS = 16;

  static final long DRILL_MS = 2_000;

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Bus bus;
  private final LinkCounts counts;
  private final boolean mayAsk;

  /** Null while there is no link, and before the relay has said who it is. */
  private @Nullable LinkChannel channel;

  private String relayId = "";

  /** Whether the relay would say which records it wants. */
  private boolean saysWants;

  /** Whether the relay would say how many viewers it has. */
  private boolean tellsPresence;

  /** Whether the relay has viewers of drills. */
  private boolean takesDrills;

  /** How many words of drills wait to be answered. */
  private int drillsTold;

  /** How many such questions wait. */
  private int presenceAsked;

  /** Which relay has been told all, over the link that stands or the one before it. */
  private String toldId = "";

  private boolean isTelling;

  /** An order has failed while all was told, perhaps after its page had gone. */
  private boolean hasMissed;

  private boolean maySeeMembers;

  /** Who stores, and by which relays, as it was told last over the link that stands. */
  private String toldMembers = "";

  private long againNanos;

  /**
   * @param mayAsk whether the relay may ask
   */
  RelayNews(Bus bus, LinkCounts counts, boolean mayAsk) {
    this.bus = bus;
    this.counts = counts;
    this.mayAsk = mayAsk;
  }

  /** Says who dials, which comes first on each link. */
  void greet(LinkChannel opened) {
    Member self = bus.cluster().self();
    int shards = bus.cluster().shards();
    opened.send(new Hello(LinkChannel.VERSION, self.id(), self.name(), shards, mayAsk));
  }

  /** The relay has said who it is. */
  void begin(LinkChannel opened, Hello relay) {
    channel = opened;
    relayId = relay.id();
    saysWants = relay.saysWants();
    tellsPresence = relay.tellsPresence();
    takesDrills = relay.takesDrills();
    maySeeMembers = toldId.equals(relayId);
    toldId = ""; // it missed what was ordered while there was no link
    isTelling = false;
    toldMembers = "";
    onMembers();
    tellAll(opened);
  }

  /** The link has ended. */
  void end() {
    channel = null;
    maySeeMembers = false;
  }

  /** The cluster has changed, or the relay may know of it now. */
  void onMembers() {
    LinkChannel open = channel;
    if (open != null && maySeeMembers) {
      Stream<Member> storing =
          bus.cluster().members().stream()
              .filter(member -> member.roles().contains(Role.PERSIST))
              .map(RelayNews::onlyStoring);
      Stream<Member> relays = bus.cluster().relays().stream();
      List<Member> all = Stream.concat(storing, relays).toList();
      if (!all.toString().equals(toldMembers)) { // members are equal if their ids are
        toldMembers = all.toString();
        open.send(new Members(all, saysWants && mayAsk));
      }
    }
  }

  /** What else a node does is nothing that the other zone has to know. */
  private static Member onlyStoring(Member member) {
    return new Member(member.id(), member.name(), Set.of(Role.PERSIST), member.isOpening());
  }

  /** Whether the relay has taken all revocations. */
  boolean isTold() {
    return channel != null && !relayId.isEmpty() && toldId.equals(relayId);
  }

  /**
   * Tells of revocations.
   *
   * @param order and answer as of {@link io.galop.bus.ViewerLane#revoke}
   */
  Future<JsonObject> revoke(JsonObject order) {
    LinkChannel open = channel;
    if (open == null) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.NOT_READY, "there is no link to it; it is told when there is"));
    }
    return call(open, order)
        .onFailure(
            failure -> {
              toldId = "";
              hasMissed = true;
              againNanos = System.nanoTime();
            });
  }

  /**
   * Asks the relay how many viewers it has.
   *
   * @param question as of the report {@code presence/viewers}
   * @param timeoutMs how long it may take
   * @return {@code {"id":the relay's,"viewers":as it says,"relays":[what those behind it say]}}
   */
  Future<JsonObject> presence(JsonObject question, long timeoutMs) {
    LinkChannel open = channel;
    if (open == null || !tellsPresence || !mayAsk) {
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, whySilent(open)));
    }
    if (presenceAsked >= MOST_PRESENCE) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.BUSY, "it has not answered such questions of before"));
    }
    presenceAsked++;
    String id = relayId;
    JsonObject asked = question.copy().put(RelayPresenceAnswer.TOLD_APART, true);
    return open.call(new Errand(Errand.Kind.PRESENCE, "", Math.min(timeoutMs, PRESENCE_MS), asked))
        .map(JsonObject.class::cast)
        .map(said -> RelayPresenceAnswer.heard(said, id))
        .onComplete(done -> presenceAsked--);
  }

  /**
   * Tells the relay of a drill. What one that may not ask answers is not read: that it has answered
   * is all.
   *
   * @param order as of the report {@link DrillReports#RELAY}
   * @param timeoutMs how long it may take
   * @return {@code {"id":the relay's,"state":…,"failed":[…],"relays":[what those behind it say]}}
   */
  Future<JsonObject> drill(JsonObject order, long timeoutMs) {
    LinkChannel open = channel;
    if (open == null || !takesDrills) {
      String why = open == null ? "there is no link to it" : "its version has no drills";
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, why));
    }
    if (drillsTold >= MOST_DRILLS) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.BUSY, "it has not answered what it was told of drills"));
    }
    drillsTold++;
    String id = relayId;
    return open.call(new Errand(Errand.Kind.DRILL, "", Math.min(timeoutMs, DRILL_MS), order))
        .map(JsonObject.class::cast)
        .map(said -> mayAsk ? RelayDrillAnswer.heard(said, id) : RelayDrillAnswer.told(id))
        .onComplete(done -> drillsTold--);
  }

  private String whySilent(@Nullable LinkChannel open) {
    if (open == null) {
      return "there is no link to it";
    }
    return mayAsk
        ? "its version does not tell how many viewers it has"
        : "it tells nothing, as relays[].questions is false";
  }

  private Future<JsonObject> call(LinkChannel open, JsonObject order) {
    return open.call(new Errand(Errand.Kind.REVOKE, "", TIMEOUT_MS, order))
        .map(JsonObject.class::cast)
        .onSuccess(taken -> counts.revoked.addAndGet(order.getJsonObject("subjects").size()));
  }

  /** To be called often: tells all again where that has failed. */
  void tick() {
    LinkChannel open = channel;
    if (open != null && !isTelling && !isTold() && againNanos - System.nanoTime() < 0) {
      tellAll(open);
    }
  }

  private void tellAll(LinkChannel open) {
    isTelling = true;
    hasMissed = false;
    call(open, new JsonObject().put("subjects", new JsonObject()))
        .compose(known -> tellFrom(open, "", known.getLong("fingerprint")))
        .onComplete(
            (told, failure) -> {
              if (open == channel) {
                onTold(failure);
              }
            });
  }

  /** With what the other side knows already in the first question, nothing is said twice. */
  private Future<Void> tellFrom(LinkChannel open, String after, long fingerprint) {
    JsonObject question = new JsonObject().put("after", after).put("fingerprint", fingerprint);
    return bus.viewers()
        .known(bus.cluster().self().id(), question)
        .compose(page -> tellPage(open, page, fingerprint));
  }

  private Future<Void> tellPage(LinkChannel open, JsonObject page, long fingerprint) {
    JsonObject subjects = page.getJsonObject("subjects");
    if (subjects.isEmpty()) {
      return Future.succeededFuture();
    }
    return call(open, new JsonObject().put("subjects", subjects))
        .compose(
            taken ->
                page.containsKey("next")
                    ? tellFrom(open, page.getString("next"), fingerprint)
                    : Future.succeededFuture());
  }

  /** The feed does not wait for a list that cannot be told. */
  private void onTold(@Nullable Throwable failure) {
    isTelling = false;
    if (failure == null) {
      toldId = hasMissed ? "" : relayId;
    } else {
      againNanos = System.nanoTime() + AGAIN_NANOS;
      LOG.warn(
          "link: a relay was not told whose tokens to refuse, and will be: {}",
          ErrorText.of(failure));
    }
    if (!maySeeMembers) {
      maySeeMembers = true;
      onMembers();
    }
  }
}
