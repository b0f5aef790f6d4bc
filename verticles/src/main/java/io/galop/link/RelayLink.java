package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Push;
import io.galop.cluster.Member;
import io.galop.config.NodeConfig;
import io.vertx.core.Future;
import io.vertx.core.http.ServerWebSocket;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A link as the relay has it: who has dialled, what it sees, and what it brings. On one loop. */
final class RelayLink implements LinkChannel.Peer {
  private final String name;
  private final String from;
  private final int shards;
  private final LinkCounts counts;
  private final Function<Push, Future<Void>> feed;
  private final Owner owner;
  private final LinkChannel channel;

  /** Null before the other side has said who it is. */
  private volatile @Nullable Hello hello;

  private volatile List<Member> members = List.of();

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
   */
  RelayLink(
      String name,
      ServerWebSocket socket,
      Hello self,
      LinkCounts counts,
      Function<Push, Future<Void>> feed,
      Owner owner) {
    this.name = name;
    this.from = String.valueOf(socket.remoteAddress());
    this.shards = self.shards();
    this.counts = counts;
    this.feed = feed;
    this.owner = owner;
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
      members = seen.members();
      owner.onChange(this);
    } else if (frame instanceof Request request
        && request.errand().kind() == Errand.Kind.PUSH
        && request.errand().message() instanceof Push push) {
      take(request.id(), push);
    } else {
      throw new IllegalArgumentException("a relay answers no questions");
    }
  }

  private void greet(Hello said) {
    if (hello != null) {
      throw new IllegalArgumentException("it said twice who it is");
    }
    mustFit(said, shards);
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
    counts.records.addAndGet(push.batch().records().size());
    channel.answer(id, feed.apply(push));
  }

  @Override
  public void onEnd(String why) {
    owner.onEnd(this, why);
  }
}
