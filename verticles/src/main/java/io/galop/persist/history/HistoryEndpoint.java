package io.galop.persist.history;

import io.galop.config.persist.HistoryConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.record.View;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /history/{topic or filter}?from=&to=&limit=&order=}, on every node: the records that
 * the nodes with the role persist keep, by event time and id, each once. {@code from} and {@code
 * to} are microseconds since the epoch or ISO-8601 instants, both included; {@code limit} is 1,000
 * unless given; {@code order} is {@code asc} or {@code desc}.
 *
 * <p>With {@code every} the records are folded to buckets, with {@code points} thinned for a plot;
 * {@link AnswerShape} and {@link HistoryRequest} have the parameters. The answer is a JSON array,
 * lines of JSON or CSV ({@link Form}). 400 tells which parameter is wrong; 503 that no node can
 * answer. Where some nodes cannot, or have gone since this node saw them, the header {@code
 * X-Galop-Incomplete} names them; a store of a node that does not answer is named {@code
 * node/store}.
 */
public final class HistoryEndpoint {
  private static final String PATH = "/history/";

  private final Node node;
  private final Optional<AnswerCache> cache;
  private final ClusterSearch search;

  /**
   * Builds the endpoint of the current event loop.
   *
   * @param cache of this node, if it stores records itself
   * @param budget of this node
   */
  public HistoryEndpoint(Node node, Optional<AnswerCache> cache, AnswerBudget budget) {
    this.node = node;
    this.cache = cache;
    this.search = new ClusterSearch(node, budget);
  }

  /** Adds the route. The answer to HEAD is that to GET, of which Vert.x writes no body. */
  public void mount(Router router) {
    router
        .route(PATH + "*")
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(this::onRequest);
  }

  private void onRequest(RoutingContext context) {
    HttpServerRequest http = context.request();
    try {
      View view = context.get(View.class.getName());
      HistoryRequest request = parse(http);
      answer(http, view == null ? request : request.shownAs(view, nowUs()));
    } catch (IllegalArgumentException e) {
      HistoryReply.refuse(http.response(), ErrorText.of(e));
    }
  }

  private static long nowUs() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }

  private HistoryRequest parse(HttpServerRequest http) {
    String query = http.query() == null ? "" : http.query();
    return HistoryRequest.parse(
        http.path().substring(Math.min(PATH.length(), http.path().length())),
        new QueryStringDecoder(query, false).parameters(),
        header(http, HttpHeaders.ACCEPT),
        header(http, HttpHeaders.ACCEPT_ENCODING),
        new HistoryRequest.Bounds(
            history().maxLimit(), node.config().broadcast().maxFilterBytes()));
  }

  private HistoryConfig history() {
    return node.config().persist().history();
  }

  private static String header(HttpServerRequest http, CharSequence name) {
    String value = http.getHeader(name);
    return value == null ? "" : value;
  }

  /** Only what is all in this node's memory and stores is known to be the same as before. */
  private Optional<AnswerCache.Asked> ask(HistoryRequest request) {
    return search.isAlone() && !request.shape().isComputed()
        ? cache.flatMap(one -> one.ask(request))
        : Optional.empty();
  }

  private void answer(HttpServerRequest http, HistoryRequest request) {
    Optional<AnswerCache.Asked> asked = ask(request);
    Optional<ByteBuf> known = asked.flatMap(AnswerCache.Asked::answer);
    if (known.isPresent()) {
      send(http, request, known.get());
    } else if (asked.isPresent()) {
      asked
          .get()
          .join(
              lead -> find(http, request, Optional.of(lead)), body -> follow(http, request, body));
    } else {
      find(http, request, Optional.empty());
    }
  }

  private void follow(HttpServerRequest http, HistoryRequest request, Optional<ByteBuf> body) {
    if (body.isPresent()) {
      send(http, request, body.get());
    } else {
      find(http, request, Optional.empty());
    }
  }

  private void find(
      HttpServerRequest http, HistoryRequest request, Optional<AnswerCache.Lead> lead) {
    new AnswerRun(search, http, request, lead, body -> send(http, request, body)).start();
  }

  /** Vert.x lets go of no buffer that is not its own, so that is done here when it has left. */
  private void send(HttpServerRequest http, HistoryRequest request, ByteBuf body) {
    if (http.response().closed()) {
      letGo(body);
    } else {
      HistoryReply.head(http.response(), request.form(), body);
      new HistoryBody(http, new WholePieces(body, () -> letGo(body)), AnswerRoom.NO_NEED).write();
    }
  }

  private void letGo(ByteBuf body) {
    cache.ifPresent(one -> one.release(body));
  }
}
