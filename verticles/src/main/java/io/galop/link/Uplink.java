package io.galop.link;

import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.config.RelayConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.http.WebSocket;
import io.vertx.core.json.JsonObject;
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
  private final RelayConfig config;
  private final Dialling dialling;
  private final LinkCounts counts;
  private final RelayQuestions questions;
  private final RelayNews news;
  private final Bringing bringing;
  private final String part;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  /** Null while there is none. */
  private @Nullable LinkChannel channel;

  /** The relay's name; empty while it has not said it. */
  private volatile String relayName = "";

  /** The same, also when the link has ended. */
  private String lastName = "";

  private long greetedNanos;
  private boolean isClosed;

  Uplink(Node node, int number, LinkCounts counts) {
    int shards = node.bus().cluster().shards();
    this.node = node;
    this.config = node.config().relays().get(number);
    this.counts = counts;
    this.dialling = new Dialling(loop.vertx(), number, config);
    this.news = new RelayNews(node.bus(), counts, config.questions());
    this.part = "relay " + config.address();
    int maxRecords = node.config().persist().history().maxLimit();
    this.questions =
        new RelayQuestions(
            node.bus().link(),
            shards,
            number,
            maxRecords,
            !node.bus().cluster().relays().isEmpty());
    long timeoutMs = node.config().cluster().attemptTimeoutMs();
    this.bringing = new Bringing(node.bus().cluster(), timeoutMs, questions);
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
    news.greet(opened);
    if (isClosed) {
      opened.end("the node stops");
    }
  }

  /** The cluster has changed. */
  void onMembers() {
    news.onMembers();
    bringing.look();
  }

  /** Has the relay refuse tokens; answers {@code {"relay":address,"node":name,…}} in any case. */
  Future<JsonObject> revoke(JsonObject order) {
    return told(news.revoke(order));
  }

  /** Asks how many viewers the relay has; answers in any case, as {@link #revoke}. */
  Future<JsonObject> presence(JsonObject question, long timeoutMs) {
    return told(news.presence(question, timeoutMs));
  }

  /** Tells the relay of a drill; answers in any case, as {@link #revoke}. */
  Future<JsonObject> drill(JsonObject order, long timeoutMs) {
    return told(news.drill(order, timeoutMs));
  }

  private Future<JsonObject> told(Future<JsonObject> answer) {
    JsonObject relay = new JsonObject().put("relay", config.address()).put("node", lastName);
    return answer.map(relay::mergeIn).otherwise(failure -> relay.put("why", ErrorText.of(failure)));
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
    Push own = questions.wanted(new Push(session, push.after(), push.head(), push.batch()));
    long records = own == null ? 0 : own.records();
    counts.records.addAndGet(records);
    counts.leftOut.addAndGet(push.records() - records);
    if (own == null) {
      return Future.succeededFuture();
    }
    if (!config.questions()) {
      return bringing.onPush(own);
    }
    long timeoutMs = node.config().cluster().attemptTimeoutMs();
    return open.push(own, timeoutMs).onFailure(failure -> questions.notSent(own));
  }

  /** What is wanted now holds from here on, and the relay is not to wait for the next records. */
  private void mark(LinkChannel open) {
    long timeoutMs = node.config().cluster().attemptTimeoutMs();
    questions.marks().forEach(mark -> open.push(mark, timeoutMs));
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
      lastName = relayName;
      greetedNanos = System.nanoTime();
      node.readiness().calm(part, "connected to " + hello.name());
      LOG.info("link: relay {} at {} is connected", hello.name(), config.address());
      if (open != null) {
        news.begin(open, hello);
        beginUnasked(open, hello.id());
      }
    } else if (open != null && frame instanceof Request request) {
      if (relayName.isEmpty()) {
        throw new IllegalArgumentException("it did not say who it is");
      }
      if (!config.questions()) {
        throw new IllegalArgumentException("it asks where relays[].questions is false");
      }
      // Else the relay's own deadline answers: it does not read. A want makes what is sent less.
      if (!open.isFull() || request.isWant()) {
        open.answer(request.id(), questions.ask(request.errand()));
        mark(open);
      }
    } else {
      throw new IllegalArgumentException("a relay only asks and answers");
    }
  }

  private void beginUnasked(LinkChannel open, String id) {
    if (!config.questions()) {
      bringing.begin(open, id);
    }
  }

  @Override
  public void onEnd(String why) {
    channel = null;
    news.end();
    bringing.end();
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
      news.tick();
    }
  }

  JsonObject report() {
    return new JsonObject()
        .put("node", relayName)
        .put("address", config.address())
        .put("up", isUp())
        .put("questions", config.questions())
        .put("wantedFilters", questions.wantedFilters())
        .put("revocationsTold", news.isTold());
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
