package io.galop.link;

import io.galop.bus.LinkFrame.Hello;
import io.galop.config.Listener;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where nodes of the secure zone dial a relay: one instance, with all links. */
public final class RelayVerticle extends VerticleBase implements RelayLink.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(RelayVerticle.class);
  private static final String PART = "links";
  private static final int MOST_LINKS = 64;
  private static final int IDLE_SECONDS = 10;
  private static final int CLOSING_SECONDS = 1;

  /** A link that is silent for so long carries nothing, until it is heard again. */
  private static final long SILENT_MS = 500;

  private final Node node;
  private final Links links;
  private final LinkCounts counts;
  private final LinkReport reported;
  private final boolean isWatched;
  private final RelayAnswers answers;

  /** All that are connected, oldest first; bounded by {@link #MOST_LINKS}. */
  private final List<RelayLink> connected = new ArrayList<>();

  private long connections;
  private long tickNanos = System.nanoTime();
  private @Nullable HttpServer server;

  RelayVerticle(Node node, Links links, LinkCounts counts, LinkReport reported) {
    this.reported = reported;
    this.node = node;
    this.answers = new RelayAnswers(node);
    this.links = links;
    this.isWatched = node.config().broadcast().isWatched();
    this.counts = counts;
    counts.onUp(() -> links.heard().size());
  }

  @Override
  public Future<?> start() {
    showReadiness();
    reported.add(this::report);
    vertx.setPeriodic(LinkChannel.SIGN_MS, timer -> tick());
    Listener listener = Listener.of(node.config(), Listener.LINK);
    HttpServerOptions options =
        new HttpServerOptions()
            .setIdleTimeout(IDLE_SECONDS)
            .setHttp2ClearTextEnabled(false)
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setMaxWebSocketFrameSize(LinkChannel.FRAME_BYTES)
            .setMaxWebSocketMessageSize(LinkChannel.MOST_BYTES)
            .setWebSocketClosingTimeout(CLOSING_SECONDS);
    HttpServer listening =
        vertx
            .createHttpServer(options)
            .webSocketHandshakeHandler(this::shakeHands)
            .webSocketHandler(this::connect)
            .requestHandler(request -> request.response().setStatusCode(404).end());
    server = listening;
    return node.listeners()
        .open(
            listener, port -> listening.listen(port, listener.host()).map(HttpServer::actualPort));
  }

  private void shakeHands(ServerWebSocketHandshake handshake) {
    if (!handshake.path().equals(LinkChannel.PATH)) {
      handshake.reject(404);
    } else if (handshake.headers().contains("Origin")) { // a page in a browser of this machine
      handshake.reject(403);
    } else if (connected.size() >= MOST_LINKS) {
      LOG.warn("link: refused {}: there are {} links", handshake.remoteAddress(), MOST_LINKS);
      handshake.reject(503);
    } else {
      handshake.accept();
    }
  }

  private void connect(ServerWebSocket socket) {
    Hello self =
        new Hello(
            LinkChannel.VERSION,
            links.self().id(),
            links.self().name(),
            links.shards(),
            false,
            isWatched,
            true,
            true);
    connected.add(
        new RelayLink(
            "link" + ++connections,
            socket,
            self,
            counts,
            push -> node.bus().feed().push(links.self().id(), push),
            answers::answer,
            this));
  }

  @Override
  public void onChange(RelayLink link) {
    if (!links.heard().contains(link) && link.isOfUse()) {
      LOG.info("link: node {} at {} is connected", link.nodeName(), link.from());
      if (isWatched && !link.takesWants()) {
        String why = link.mayAsk() ? "its version knows no other" : "this relay may not ask it";
        LOG.warn("link: node {} sends all records, watched or not: {}", link.nodeName(), why);
      }
    }
    look(true);
  }

  @Override
  public void onEnd(RelayLink link, String why) {
    connected.remove(link);
    LOG.warn("link: the one of node '{}' at {} has ended: {}", link.nodeName(), link.from(), why);
    look(true);
  }

  private void tick() {
    long now = System.nanoTime();
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(now - tickNanos);
    tickNanos = now;
    List.copyOf(connected).forEach(link -> link.channel().tick());
    // After a pause of this process, what it has not read yet is no silence of the others.
    if (sinceMs < SILENT_MS / 2) {
      look(false);
    }
  }

  private void look(boolean isNew) {
    List<RelayLink> heard =
        connected.stream()
            .filter(link -> link.isOfUse() && link.channel().silentMs() < SILENT_MS)
            .toList();
    if (isNew || !heard.equals(links.heard())) {
      links.use(heard);
      showReadiness();
    }
  }

  private void showReadiness() {
    if (links.heard().isEmpty()) {
      String what =
          connected.isEmpty()
              ? "no node of the secure zone has a link to this relay"
              : "no link is heard; %d stand".formatted(connected.size());
      node.readiness().unready(PART, what, Set.of(Audience.VIEWERS));
    } else {
      node.readiness().ready(PART);
    }
  }

  private JsonArray report() {
    JsonArray all = new JsonArray();
    for (RelayLink link : links.heard()) {
      all.add(
          new JsonObject()
              .put("node", link.nodeName())
              .put("address", link.from())
              .put("up", true)
              .put("questions", link.mayAsk())
              .put("watchedOnly", link.takesWants())
              .put("silentMs", link.channel().silentMs()));
    }
    return all;
  }

  @Override
  public Future<?> stop() {
    node.listeners().closed(Listener.LINK);
    List.copyOf(connected).forEach(link -> link.channel().end("the relay stops"));
    HttpServer listening = server;
    return listening == null ? Future.succeededFuture() : listening.close();
  }
}
