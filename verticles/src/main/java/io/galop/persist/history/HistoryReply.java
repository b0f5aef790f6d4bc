package io.galop.persist.history;

import io.galop.json.JsonString;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** What stands before the bodies of answers, and those that are refused. On the event loop. */
final class HistoryReply {
  private static final String INCOMPLETE = "X-Galop-Incomplete";
  private static final String NEXT = "X-Galop-Next";
  private static final String REDUCED = "X-Galop-Reduced";
  private static final String FOLDED = "persist.history.maxFolded";
  private static final String JSON = "application/json";

  private HistoryReply() {}

  /**
   * The headers of an answer with a body.
   *
   * @param missing names of the nodes and stores that it is without
   */
  static void head(HttpServerResponse response, Form form, Set<String> missing) {
    response.setChunked(true);
    response.putHeader(HttpHeaders.CONTENT_TYPE, form.format().contentType());
    response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.headers().add(HttpHeaders.VARY, "Accept, Accept-Encoding");
    if (response.headers().contains(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
      response.putHeader(
          HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, INCOMPLETE + ", " + NEXT + ", " + REDUCED);
    }
    if (form.isGzip()) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    if (!missing.isEmpty()) {
      response.putHeader(INCOMPLETE, String.join(", ", missing));
    }
  }

  /** The headers of an answer that is there as a whole. */
  static void head(HttpServerResponse response, Form form, ByteBuf body) {
    head(response, form, Set.of());
    length(response, body.readableBytes());
  }

  private static void length(HttpServerResponse response, int bytes) {
    response.setChunked(false);
    response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes));
  }

  /** The headers of rows that were computed; their body has to follow, and is as long as it is. */
  static void head(
      HttpServerResponse response, Form form, Set<String> missing, Computation.Answer answer) {
    Set<String> without = new TreeSet<>(missing);
    without.addAll(answer.missing());
    if (answer.isCut()) {
      without.add(FOLDED);
    }
    head(response, form, without);
    if (!answer.next().isEmpty()) {
      response.putHeader(NEXT, encoded(answer.next()));
    }
    if (answer.isReduced()) {
      response.putHeader(REDUCED, "true");
    }
    length(response, answer.body().length());
  }

  /** As it stands in the next question: a header takes ASCII only. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** 400: a parameter is wrong, which the message names. */
  static void refuse(HttpServerResponse response, String message) {
    fail(response, 400, "invalid_parameter", message);
  }

  /** 503: no node can answer. */
  static void unavailable(HttpServerResponse response, String message) {
    fail(response, 503, "unavailable", message);
  }

  /** 503: this node has too much of that to do. */
  static void busy(HttpServerResponse response, String message) {
    fail(response, 503, "busy", message);
  }

  private static void fail(HttpServerResponse response, int status, String reason, String message) {
    String error = JsonString.quoted(message);
    Buffer body = Buffer.buffer("{\"error\":" + error + ",\"reason\":\"" + reason + "\"}\n");
    if (!response.closed()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(body);
    }
  }
}
