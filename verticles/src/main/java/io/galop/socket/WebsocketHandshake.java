package io.galop.socket;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** Looks at requests for a websocket (RFC 6455, 4.2.1) before Vert.x answers them. */
public final class WebsocketHandshake {
  /** The standard's, and the drafts of the same frames that browsers shipped. */
  private static final List<String> VERSIONS = List.of("13", "8", "7");

  private static final CharSequence VERSION = HttpHeaders.createOptimized("Sec-WebSocket-Version");
  private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=UTF-8");
  private static final int KEY_BYTES = 16;

  private WebsocketHandshake() {}

  /** Whether a request asks for a websocket as it must; one that does not is answered. */
  public static boolean isAsked(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.GET)) {
      request.response().setStatusCode(405).putHeader(HttpHeaders.ALLOW, "GET").end();
    } else if (!has(request, HttpHeaders.UPGRADE, "websocket")) {
      refuse(request, "Can \"Upgrade\" only to \"WebSocket\".\n");
    } else if (!has(request, HttpHeaders.CONNECTION, "upgrade")) {
      refuse(request, "\"Connection\" must be \"Upgrade\".\n");
    } else if (!VERSIONS.contains(String.valueOf(request.getHeader(VERSION)))) {
      refuseVersion(request);
    } else if (!isKey(request.getHeader("Sec-WebSocket-Key"))) {
      refuse(request, "\"Sec-WebSocket-Key\" must be 16 bytes in base64.\n");
    } else if (hasBody(request)) {
      refuse(request, "An \"Upgrade\" to \"WebSocket\" must have no body.\n");
    } else {
      return true;
    }
    return false;
  }

  /** Answers 400 with a sentence. */
  public static void refuse(HttpServerRequest request, String sentence) {
    request.response().setStatusCode(400).putHeader(HttpHeaders.CONTENT_TYPE, TEXT).end(sentence);
  }

  /**
   * The drafts before 7 have no masks: a page can have their frames taken for answers by caches on
   * the way, for which browsers gave them up in 2010. Their handshake is finished by eight bytes
   * that a balancer may hold back until it is answered: so at once, and the client goes on with
   * another transport.
   */
  private static void refuseVersion(HttpServerRequest request) {
    request
        .response()
        .putHeader(VERSION, String.join(", ", VERSIONS))
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .putHeader(HttpHeaders.CONTENT_TYPE, TEXT)
        .setStatusCode(426)
        .end("\"Sec-WebSocket-Version\" must be 13 (RFC 6455).\n")
        .onComplete(answered -> request.connection().close());
  }

  private static boolean isKey(String key) {
    try {
      return key != null && Base64.getDecoder().decode(key.strip()).length == KEY_BYTES;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /** Vert.x would wait for it, and says nothing any more where it is too large. */
  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null
        || (length != null && !length.equals("0"));
  }

  private static boolean has(HttpServerRequest request, CharSequence header, String word) {
    String value = request.getHeader(header);
    return value != null && value.toLowerCase(Locale.ROOT).contains(word);
  }
}
