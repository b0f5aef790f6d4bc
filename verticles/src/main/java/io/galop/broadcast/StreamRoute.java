package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.EdgeRefusal;
import io.galop.broadcast.feed.Since;
import io.galop.broadcast.hub.Selection;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.StreamEndpoint;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.jvm.ErrorText;
import io.galop.record.Position;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * {@code GET /stream/{filter}}: the records of one filter as events, for EventSource, or as lines
 * of JSON, for {@code curl -N}. The parameters are the headers of a {@code register}; what comes is
 * what a websocket is sent. On the event loop of the connection.
 */
final class StreamRoute {
  static final String PATH = "/stream";

  /** What an EventSource says by itself when it comes back: where it was. */
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private static final String EVENT_STREAM = "text/event-stream";
  private static final Set<String> WISHES =
      Set.of(
          "since", "snapshot", "mode", "maxRate", "maxBytesPerSecond", "words", "where", "fields");
  private static final Set<String> OTHERS = Set.of("format", "token");

  private final BroadcastConfig config;
  private final int shards;
  private final StreamEndpoint<Admission> streams;
  private final ConditionCompiler conditions;

  StreamRoute(
      BroadcastConfig config,
      int shards,
      StreamEndpoint<Admission> streams,
      ConditionCompiler conditions) {
    this.conditions = conditions;
    this.config = config;
    this.shards = shards;
    this.streams = streams;
  }

  /** Ahead of all that may refuse the request. */
  static void begin(RoutingContext context) {
    EdgeRefusal.answerByEvent(context);
    context.next();
  }

  void handle(RoutingContext context) {
    if (streams.refuses(context.request())) {
      return;
    }
    try {
      if (!context.request().path().startsWith(PATH + "/")) {
        throw new Refused(
            404, "invalid_address", "the path is to begin with " + PATH + "/ as it is");
      }
      open(context);
    } catch (Refused refused) {
      refused.why.answer(context);
    }
  }

  /** A request that asks for what there is not; the answer says what and why. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final transient EdgeRefusal why;

    Refused(int status, String reason, String message) {
      super(message, null, false, false);
      this.why = new EdgeRefusal(status, reason, message, 0);
    }
  }

  private void open(RoutingContext context) throws Refused {
    HttpServerRequest request = context.request();
    TopicFilter filter = filter(request);
    boolean seesReserved = config.showReserved() || Admission.of(context).seesReserved();
    if (Topic.isReserved(filter.toString()) && !seesReserved) {
      throw new Refused(403, "access_denied", "topics that start with $ are not shown here");
    }
    if (!Admission.of(context).sees(filter)) {
      throw new Refused(403, "access_denied", Entrance.notShown(filter));
    }
    Framing framing = framing(request);
    JsonObject headers = headers(request, framing == Framing.EVENTS);
    Wishes wishes = wishes(headers);
    Map<Integer, Position> since = wishes.since().map(Since::positions).orElse(Map.of());
    JsonObject register =
        new JsonObject()
            .put("type", "register")
            .put("address", filter.toString())
            .put("headers", headers);
    Runnable open = () -> streams.open(context, framing, since, register.toBuffer());
    Future<?> selected = conditions.select(Selection.ALL, wishes);
    if (selected.isComplete()) {
      open(context, selected, open);
    } else {
      Context loop = context.vertx().getOrCreateContext();
      selected.onComplete(done -> loop.runOnContext(now -> openLate(context, done, open)));
    }
  }

  /** The router does not see what is thrown here. */
  private static void openLate(RoutingContext context, AsyncResult<?> selected, Runnable open) {
    try {
      open(context, selected, open);
    } catch (RuntimeException | OutOfMemoryError fault) {
      context.fail(fault);
    }
  }

  /** A condition that does not compile is refused here: it would only end the stream. */
  private static void open(RoutingContext context, AsyncResult<?> selected, Runnable open) {
    if (context.response().closed()) {
      return;
    }
    if (selected.succeeded()) {
      open.run();
    } else {
      boolean isWrong = selected.cause() instanceof IllegalArgumentException;
      String message = String.valueOf(selected.cause().getMessage());
      EdgeRefusal why =
          isWrong
              ? new EdgeRefusal(400, "invalid_header", message, 0)
              : new EdgeRefusal(503, "full", message, 1);
      why.answer(context);
    }
  }

  private TopicFilter filter(HttpServerRequest request) throws Refused {
    String path = request.path().substring(PATH.length() + 1).replace("+", "%2B");
    try {
      String text = QueryStringDecoder.decodeComponent(path, StandardCharsets.UTF_8);
      return TopicFilter.parse(text, config.maxFilterBytes());
    } catch (IllegalArgumentException e) {
      String hint = ": it is the rest of the path, percent-encoded, with %23 for #";
      throw new Refused(400, "invalid_address", "the filter: " + e.getMessage() + hint);
    }
  }

  /** As the parameter says, or as the client accepts; lines, where it says nothing. */
  private static Framing framing(HttpServerRequest request) throws Refused {
    String accept = request.headers().get(HttpHeaders.ACCEPT);
    boolean acceptsEvents =
        accept != null && accept.toLowerCase(Locale.ROOT).contains(EVENT_STREAM);
    String format = parameters(request).get("format");
    if (format == null) {
      return acceptsEvents ? Framing.EVENTS : Framing.LINES;
    }
    return switch (format) {
      case "sse" -> Framing.EVENTS;
      case "ndjson" -> Framing.LINES;
      default ->
          throw new Refused(
              400, "invalid_header", "format must be 'sse' or 'ndjson', not '" + format + "'");
    };
  }

  private static MultiMap parameters(HttpServerRequest request) throws Refused {
    try {
      return request.params();
    } catch (IllegalArgumentException e) {
      throw new Refused(400, "invalid_header", "a parameter is not percent-encoded as it must be");
    }
  }

  /**
   * The headers of the register. Whoever streams is told how the feed is, unless it says otherwise;
   * an EventSource always begins with Positions, since it comes back with the last ones.
   */
  private JsonObject headers(HttpServerRequest request, boolean needsPositions) throws Refused {
    JsonObject headers = new JsonObject();
    for (Map.Entry<String, String> each : parameters(request)) {
      String name = each.getKey();
      if (WISHES.contains(name) && !headers.containsKey(name)) {
        headers.put(name, each.getValue());
      } else if (!OTHERS.contains(name)) {
        String why = headers.containsKey(name) ? " is there twice" : " is unknown";
        String known =
            "; there are since, snapshot, mode, maxRate, maxBytesPerSecond, words, where, fields, "
                + "format and token";
        throw new Refused(400, "invalid_header", "parameter " + name + why + known);
      }
    }
    String last = request.getHeader(LAST_EVENT_ID);
    if (last != null && !last.isBlank()) {
      headers.put("since", last);
    } else if (needsPositions && !headers.containsKey("since") && !isSnapshot(headers)) {
      headers.put("since", "");
    }
    if (!headers.containsKey("words")) {
      headers.put("words", "true");
    } else if (needsPositions && !"true".equalsIgnoreCase(headers.getString("words"))) {
      String why = "events always have them: an EventSource comes back with what they say";
      throw new Refused(400, "invalid_header", "parameter words must be 'true', since " + why);
    }
    return headers;
  }

  private static boolean isSnapshot(JsonObject headers) {
    return "true".equalsIgnoreCase(headers.getString("snapshot"));
  }

  private Wishes wishes(JsonObject headers) throws Refused {
    try {
      return Wishes.parse(headers, shards);
    } catch (IllegalArgumentException e) {
      throw new Refused(400, "invalid_header", ErrorText.of(e));
    }
  }
}
