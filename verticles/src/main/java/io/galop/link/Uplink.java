package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.RelayConfig;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.http.WebSocket;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one relay: dialled again and again, whoever ended it. Hands on what owners push for
 * the relay, and puts its questions to them. All on one event loop.
 */
final class Uplink implements LinkChannel.Peer {
  private static final Logger LOG = LoggerFactory.getLogger(Uplink.class);
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 2_000;

  /**
   * A link that stood for so long was sound; one that greets and hangs up is dialled ever later.
   */
  private static final long SOUND_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Node node;
  private final Loop loop = Loop.current();
  private final RelayConfig relay;
  private final Dialling dialling;
  private final LinkCounts counts;
  private final RelayQuestions questions;
  private final String part;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  /** Null while there is none. */
  private @Nullable LinkChannel channel;

  /** The relay's name; empty while it has not said it. */
  private volatile String relayName = "";

  private long greetedNanos;
  private boolean isClosed;

  Uplink(Node node, int number, LinkCounts counts) {
    int shards = node.bus().cluster().shards();
    this.node = node;
    this.relay = node.config().relays().get(number);
    this.counts = counts;
    this.dialling = new Dialling(loop.vertx(), number, relay);
    this.part = "relay " + relay.address();
    int maxRecords = node.config().persist().history().maxLimit();
    this.questions = new RelayQuestions(node.bus().link(), shards, number, maxRecords);
  }

  /** Whether the relay is connected and has said who it is. From any thread. */
  boolean isUp() {
    return !relayName.isEmpty();
  }

  /** Begins to dial. */
  void dial() {
    if (isClosed) {
      return;
    }
    loop.bring(dialling.dial()).onSuccess(this::connected).onFailure(f -> tryAgain(words(f)));
  }

  private static String words(Throwable failure) {
    Throwable cause = failure.getCause();
    String first = String.valueOf(failure.getMessage());
    return cause == null || cause.getMessage() == null || first.contains(cause.getMessage())
        ? first
        : first + ": " + cause.getMessage();
  }

  private void connected(WebSocket socket) {
    questions.reconnected();
    LinkChannel opened = new LinkChannel(socket, counts, this);
    channel = opened;
    Member self = node.bus().cluster().self();
    int shards = node.bus().cluster().shards();
    opened.send(new Hello(LinkChannel.VERSION, self.id(), self.name(), shards));
    onMembers();
    if (isClosed) {
      opened.end("the node stops");
    }
  }

  /** The cluster has changed, or a link stands that must be told of it. */
  void onMembers() {
    LinkChannel open = channel;
    if (open != null) {
      List<Member> storing =
          node.bus().cluster().members().stream()
              .filter(member -> member.roles().contains(Role.PERSIST))
              .map(Uplink::onlyStoring)
              .toList();
      open.send(new Members(storing));
    }
  }

  /** What else a node does is nothing that the other zone has to know. */
  private static Member onlyStoring(Member member) {
    return new Member(member.id(), member.name(), Set.of(Role.PERSIST), member.isOpening());
  }

  /** An owner pushes for this relay. */
  Future<Void> onPush(Push push) {
    loop.check();
    LinkChannel open = channel;
    long session = questions.session(push.session());
    if (open == null || session < 0) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.NOT_CONTINUOUS, "the relay follows by no such session"));
    }
    questions.saw(push.head());
    counts.records.addAndGet(push.batch().records().size());
    Push own = new Push(session, push.after(), push.head(), push.batch());
    long timeoutMs = node.config().cluster().attemptTimeoutMs();
    return open.call(new Errand(Errand.Kind.PUSH, "", timeoutMs, own)).mapEmpty();
  }

  @Override
  public void onFrame(LinkFrame frame) {
    LinkChannel open = channel;
    if (frame instanceof Hello hello) {
      if (!relayName.isEmpty()) {
        throw new IllegalArgumentException("it said twice who it is");
      }
      RelayLink.mustFit(hello, node.bus().cluster().shards());
      relayName = hello.name();
      greetedNanos = System.nanoTime();
      node.readiness().calm(part, "connected to " + hello.name());
      LOG.info("link: relay {} at {} is connected", hello.name(), relay.address());
    } else if (open != null && frame instanceof Request request) {
      if (relayName.isEmpty()) {
        throw new IllegalArgumentException("it did not say who it is");
      }
      if (!open.isFull()) { // else the relay's own deadline answers: it does not read
        open.answer(request.id(), questions.ask(request.errand()));
      }
    } else {
      throw new IllegalArgumentException("a relay only asks and answers");
    }
  }

  @Override
  public void onEnd(String why) {
    channel = null;
    if (isUp() && System.nanoTime() - greetedNanos > SOUND_NANOS) {
      backoff.reset();
    }
    relayName = "";
    tryAgain(why);
  }

  private void tryAgain(String why) {
    if (isClosed) {
      return;
    }
    node.readiness().warn(part, "no link: " + why, "its viewers get nothing by this node");
    dialling.close();
    loop.vertx().setTimer(backoff.nextMs(), timer -> dial());
  }

  /** To be called often. */
  void tick() {
    LinkChannel open = channel;
    if (open != null) {
      open.tick();
    }
  }

  JsonObject report() {
    return new JsonObject()
        .put("node", relayName)
        .put("address", relay.address())
        .put("up", isUp());
  }

  /** Ends the link for good. */
  void close() {
    isClosed = true;
    LinkChannel open = channel;
    if (open != null) {
      open.end("the node stops");
    }
    dialling.close();
  }
}
