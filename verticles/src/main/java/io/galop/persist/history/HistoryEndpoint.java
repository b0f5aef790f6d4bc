package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.config.persist.HistoryConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.record.View;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(HistoryEndpoint.class);
  private static final String PATH = "/history/";

  private final Node node;
  private final Optional<AnswerCache> cache;

  /** Names of the nodes that may keep records, whether they are there or not. */
  private final Set<String> keepers = new TreeSet<>();

  private final Computations computations;

  /**
   * Builds the endpoint of the current event loop.
   *
   * @param cache of this node, if it stores records itself
   */
  public HistoryEndpoint(Node node, Optional<AnswerCache> cache) {
    this.node = node;
    this.cache = cache;
    this.computations = new Computations(history());
    see(node.bus().cluster().members());
    node.bus().cluster().onChange(this::see);
  }

  private void see(List<Member> members) {
    members.stream()
        .filter(member -> member.roles().contains(Role.PERSIST))
        .forEach(member -> keepers.add(member.name()));
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
      answer(http.response(), view == null ? request : request.shownAs(view, nowUs()));
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
    boolean isAlone = keepers.equals(Set.of(node.bus().cluster().self().name()));
    return isAlone && !request.shape().isComputed()
        ? cache.flatMap(one -> one.ask(request))
        : Optional.empty();
  }

  private void answer(HttpServerResponse response, HistoryRequest request) {
    Optional<AnswerCache.Asked> asked = ask(request);
    Optional<ByteBuf> known = asked.flatMap(AnswerCache.Asked::answer);
    if (known.isPresent()) {
      send(response, request, known.get());
    } else if (asked.isPresent()) {
      asked
          .get()
          .join(
              lead -> find(response, request, Optional.of(lead)),
              body -> follow(response, request, body));
    } else {
      find(response, request, Optional.empty());
    }
  }

  private void follow(HttpServerResponse response, HistoryRequest request, Optional<ByteBuf> body) {
    if (body.isPresent()) {
      send(response, request, body.get());
    } else if (!response.closed()) {
      find(response, request, Optional.empty());
    }
  }

  /** Vert.x lets go of no buffer that is not its own, so that is done here when it has left. */
  private void send(HttpServerResponse response, HistoryRequest request, ByteBuf body) {
    if (response.closed()) {
      letGo(body);
    } else {
      HistoryReply.send(response, request.form(), body).onComplete(left -> letGo(body));
    }
  }

  private void letGo(ByteBuf body) {
    cache.ifPresent(one -> one.release(body));
  }

  private void find(
      HttpServerResponse response, HistoryRequest request, Optional<AnswerCache.Lead> lead) {
    long storesMs = history().storeTimeoutMs();
    HistoryQuery query = request.asked(history().maxFolded());
    List<NodeAnswer> asked = new ArrayList<>();
    List<Future<Void>> first = new ArrayList<>();
    for (Member member : node.bus().cluster().members()) {
      if (member.roles().contains(Role.PERSIST)) {
        NodeAnswer answer = new NodeAnswer(node.bus().history(), member, query, storesMs);
        asked.add(answer);
        first.add(answer.load());
      }
    }
    if (asked.isEmpty()) {
      lead.ifPresent(AnswerCache.Lead::giveUp);
      HistoryReply.unavailable(response, "no node with the role persist is up; try again later");
    } else {
      Future.join(first).onComplete(done -> begin(response, request, asked, first, lead));
    }
  }

  private void begin(
      HttpServerResponse response,
      HistoryRequest request,
      List<NodeAnswer> asked,
      List<Future<Void>> first,
      Optional<AnswerCache.Lead> lead) {
    List<NodeAnswer> answers = new ArrayList<>();
    Set<String> missing = new TreeSet<>(keepers);
    asked.forEach(answer -> missing.remove(answer.member().name()));
    for (int i = 0; i < asked.size(); i++) {
      String name = asked.get(i).member().name();
      if (first.get(i).succeeded()) {
        answers.add(asked.get(i));
        asked.get(i).missing().forEach(store -> missing.add(name + "/" + store));
      } else {
        LOG.warn("a history answer omits node {}: {}", name, first.get(i).cause().getMessage());
        missing.add(name);
      }
    }
    if (!missing.isEmpty()) {
      lead.ifPresent(AnswerCache.Lead::giveUp);
    }
    Optional<AnswerCache.Lead> whole = missing.isEmpty() ? lead : Optional.empty();
    if (answers.isEmpty()) {
      HistoryReply.unavailable(
          response, "no node can answer: " + ErrorText.of(first.get(0).cause()));
    } else if (request.shape().isComputed()) {
      computations.run(response, request, answers, missing);
    } else if (whole.isPresent()) {
      share(response, request, new Rendering(request, answers), whole.get());
    } else if (!response.closed()) {
      HistoryReply.head(response, request.form(), missing);
      new HistoryBody(response, new Rendering(request, answers)).write();
    }
  }

  private void share(
      HttpServerResponse response,
      HistoryRequest request,
      Rendering rendering,
      AnswerCache.Lead lead) {
    new SharedBody(
            rendering,
            lead,
            body -> send(response, request, body),
            begun -> stream(response, request, rendering, begun, lead),
            failure ->
                HistoryReply.unavailable(response, "no node can answer: " + ErrorText.of(failure)))
        .gather();
  }

  private static void stream(
      HttpServerResponse response,
      HistoryRequest request,
      Rendering rendering,
      List<Buffer> begun,
      AnswerCache.Lead lead) {
    if (response.closed()) {
      rendering.close();
      lead.giveUp();
    } else {
      HistoryReply.head(response, request.form(), Set.of());
      new HistoryBody(response, rendering).write(begun).onComplete(left -> lead.giveUp());
    }
  }
}
