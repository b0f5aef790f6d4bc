package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Push;
import io.galop.cluster.Member;
import io.galop.config.NodeConfig;
import io.galop.config.Role;
import io.vertx.core.Future;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A link as the relay has it: who has dialled, what it sees, and what it brings. On one loop. */
final class RelayLink implements LinkChannel.Peer {
  /** What a relay is told, and asked; anything else from a node inside is refused. */
  private static final Set<Errand.Kind> TOLD =
      Set.of(Errand.Kind.REVOKE, Errand.Kind.PRESENCE, Errand.Kind.DRILL);

  /** The answer stands behind what was sent before it: on a slow line that takes its time. */
  private static final long WANT_MS = 30_000;

  private final String name;
  private final String from;
  private final String self;
  private final int shards;
  private final LinkCounts counts;
  private final Function<Push, Future<Void>> feed;
  private final Function<Errand, Future<JsonObject>> told;
  private final Owner owner;
  private final LinkChannel channel;
  private final Brought brought;

  /** Null before the other side has said who it is. */
  private volatile @Nullable Hello hello;

  private volatile List<Member> members = List.of();

  /** By which the other side has its feed: none if it is a node that stores. */
  private volatile List<Member> relays = List.of();

  /** Whether the other side leaves out what this relay does not want. */
  private volatile boolean takesWants;

  /** Of what the other side was told. */
  private long toldVersion;

  /** Whoever keeps the links. */
  interface Owner {
    /** It has become of use, or sees other members. */
    void onChange(RelayLink link);

    /** It has ended. */
    void onEnd(RelayLink link, String why);
  }

  /**
   * @param name never given twice
   * @param self what this side says of itself
   * @param feed takes what owners push
   * @param told takes whose tokens to refuse, and answers who watches and what is shown
   */
  RelayLink(
      String name,
      ServerWebSocket socket,
      Hello self,
      LinkCounts counts,
      Function<Push, Future<Void>> feed,
      Function<Errand, Future<JsonObject>> told,
      Owner owner) {
    this.name = name;
    this.from = String.valueOf(socket.remoteAddress());
    this.self = self.id();
    this.shards = self.shards();
    this.counts = counts;
    this.feed = feed;
    this.told = told;
    this.owner = owner;
    this.brought = new Brought(shards, feed);
    this.channel = new LinkChannel(socket, counts, this);
    channel.send(self);
  }

  String name() {
    return name;
  }

  /** Whence it came. */
  String from() {
    return from;
  }

  LinkChannel channel() {
    return channel;
  }

  /** The id of the node that has dialled; empty before it is known. */
  String node() {
    Hello known = hello;
    return known == null ? "" : known.id();
  }

  /** The name of the node that has dialled; empty before it is known. */
  String nodeName() {
    Hello known = hello;
    return known == null ? "" : known.name();
  }

  /** Whether anything may be asked over it. */
  boolean mayAsk() {
    Hello known = hello;
    return known != null && known.mayAsk();
  }

  /** Asks the other side, or what it has sent where it may not be asked. From any thread. */
  Future<Object> ask(Errand errand) {
    Errand asked = errand;
    if (!takesWants && errand.message() instanceof Errand.Values values) {
      asked = new Errand(Errand.Kind.LATEST, errand.node(), errand.timeoutMs(), values.ask());
    }
    return mayAsk() ? channel.call(asked) : brought.ask(asked);
  }

  /** Whether the other side leaves out what this relay does not want. */
  boolean takesWants() {
    return takesWants;
  }

  /**
   * Says what is wanted, where the other side takes it. All that is sent afterwards counts on it: a
   * link over which it cannot be said ends. From any thread.
   */
  void want(Errand.Want want) {
    channel.run(
        () -> {
          if (takesWants && want.version() > toldVersion) {
            toldVersion = want.version();
            channel
                .call(new Errand(Errand.Kind.WANT, "", WANT_MS, want))
                .onFailure(failure -> channel.end("it did not take what is wanted"));
          }
        });
  }

  /** The nodes that store, as the other side sees them. */
  List<Member> members() {
    return members;
  }

  /** Whether it can carry: nothing is asked before the other side has said what it sees. */
  boolean isOfUse() {
    return !members.isEmpty();
  }

  @Override
  public void onFrame(LinkFrame frame) {
    if (hello == null && !(frame instanceof Hello)) {
      throw new IllegalArgumentException("it did not say who it is");
    }
    if (frame instanceof Hello said) {
      greet(said);
    } else if (frame instanceof Members seen) {
      see(seen.members());
      takesWants = seen.takesWants() && mayAsk();
      owner.onChange(this);
    } else if (frame instanceof Request request
        && isPush(request.errand().kind())
        && request.errand().message() instanceof Push push) {
      take(request.id(), push);
    } else if (frame instanceof Request request
        && TOLD.contains(request.errand().kind())
        && request.errand().message() instanceof JsonObject message) {
      take(request.id(), request.errand(), message);
    } else if (frame instanceof Request request && brought.take(request.errand())) {
      channel.answer(request.id(), Future.succeededFuture());
    } else {
      throw new IllegalArgumentException("a relay answers no questions");
    }
  }

  /** Relays in a ring would keep each other's feed alive when nobody stores any more. */
  private void see(List<Member> all) {
    all.forEach(one -> mustBeAnother(one.id()));
    members = all.stream().filter(one -> one.roles().contains(Role.PERSIST)).toList();
    relays = all.stream().filter(one -> !one.roles().contains(Role.PERSIST)).toList();
  }

  private void mustBeAnother(String id) {
    if (id.equals(self)) {
      throw new IllegalArgumentException(
          "it is fed by this relay itself; remove one of the two from the other's relays");
    }
  }

  /** By which relays the other side has its feed, itself included if it is one. */
  List<Member> relays() {
    return relays;
  }

  private boolean isPush(Errand.Kind kind) {
    return kind == Errand.Kind.PUSH || kind == Errand.Kind.PART && takesWants;
  }

  private void greet(Hello said) {
    if (hello != null) {
      throw new IllegalArgumentException("it said twice who it is");
    }
    mustFit(said, shards);
    mustBeAnother(said.id());
    hello = said;
  }

  /** Both sides look, so that both logs say it. */
  static void mustFit(Hello said, int shards) {
    if (said.version() != LinkChannel.VERSION) {
      throw new IllegalArgumentException(
          "version %d of links, and version %d is spoken here"
              .formatted(said.version(), LinkChannel.VERSION));
    }
    if (said.shards() != shards) {
      throw new IllegalArgumentException(
          "node.shards is %d there and %d here: make them equal".formatted(said.shards(), shards));
    }
    if (NodeConfig.nameRule(said.name()).isPresent()) {
      throw new IllegalArgumentException("its name is no name of a node");
    }
  }

  private void take(long id, Push push) {
    int shard = push.batch().shard();
    if (shard < 0 || shard >= shards) {
      throw new IllegalArgumentException("there is no shard " + shard);
    }
    counts.records.addAndGet(push.records());
    channel.answer(id, mayAsk() ? feed.apply(push) : brought.onPush(push));
  }

  private void take(long id, Errand errand, JsonObject message) {
    if (errand.kind() == Errand.Kind.REVOKE) {
      counts.revoked.addAndGet(message.getJsonObject("subjects", new JsonObject()).size());
    }
    channel.answer(id, Future.succeededFuture(errand).compose(told::apply));
  }

  @Override
  public void onEnd(String why) {
    owner.onEnd(this, why);
  }
}
