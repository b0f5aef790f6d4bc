package io.galop.broadcast.sockjs;

import io.galop.config.broadcast.SockJsTransport;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The transports over HTTP, as the requests that wait for frames. */
enum Receiving {
  XHR(SockJsTransport.XHR_POLLING, "xhr", HttpMethod.POST, Framing.XHR),
  XHR_STREAMING(SockJsTransport.XHR_STREAMING, "xhr_streaming", HttpMethod.POST, Framing.XHR),
  EVENTSOURCE(SockJsTransport.EVENTSOURCE, "eventsource", HttpMethod.GET, Framing.EVENTSOURCE),
  HTMLFILE(SockJsTransport.HTMLFILE, "htmlfile", HttpMethod.GET, Framing.HTMLFILE),
  JSONP(SockJsTransport.JSONP, "jsonp", HttpMethod.GET, Framing.JSONP);

  private static final Map<String, Receiving> BY_WORD =
      Arrays.stream(values()).collect(Collectors.toMap(each -> each.word, Function.identity()));

  /** Internet Explorer and old WebKits show nothing of a response before they have so much. */
  private static final String XHR_PRELUDE = "h".repeat(2048) + "\n";

  /** Opera passes over the first line. */
  private static final String EVENTSOURCE_PRELUDE = "\r\n";

  private static final int HTMLFILE_PRELUDE_BYTES = 1024 + 64;

  private final SockJsTransport transport;
  private final String word;
  private final HttpMethod method;
  private final Framing framing;

  Receiving(SockJsTransport transport, String word, HttpMethod method, Framing framing) {
    this.transport = transport;
    this.word = word;
    this.method = method;
    this.framing = framing;
  }

  /** The one at the end of a path, or null. */
  static @Nullable Receiving of(String word) {
    return BY_WORD.get(word);
  }

  SockJsTransport transport() {
    return transport;
  }

  HttpMethod method() {
    return method;
  }

  Framing framing() {
    return framing;
  }

  /** Whether one response carries frame after frame, and not just one. */
  boolean isStreaming() {
    return this != XHR && this != JSONP;
  }

  /** Whether the page names what is to be called. */
  boolean hasCallback() {
    return this == HTMLFILE || this == JSONP;
  }

  String contentType() {
    return switch (this) {
      case XHR, XHR_STREAMING, JSONP -> "application/javascript; charset=UTF-8";
      case EVENTSOURCE -> "text/event-stream";
      case HTMLFILE -> "text/html; charset=UTF-8";
    };
  }

  /** What a streaming response begins with. */
  String prelude(HttpServerRequest request) {
    return switch (this) {
      case XHR_STREAMING -> XHR_PRELUDE;
      case EVENTSOURCE -> EVENTSOURCE_PRELUDE;
      case HTMLFILE -> page(Callback.of(request));
      case XHR, JSONP -> throw new IllegalStateException(word + " does not stream");
    };
  }

  /** Filled up with spaces, before which old browsers run none of it. */
  private static String page(@Nullable String callback) {
    String page =
        """
        <!doctype html>
        <html><head>
          <meta http-equiv="X-UA-Compatible" content="IE=edge" />
          <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
        </head><body><h2>Don't panic!</h2>
          <script>
            document.domain = document.domain;
            var c = parent.%s;
            c.start();
            function p(d) {c.message(d);};
            window.onload = function() {c.stop();};
          </script>\
        """
            .formatted(callback);
    return page + " ".repeat(Math.max(0, HTMLFILE_PRELUDE_BYTES - page.length())) + "\r\n\r\n";
  }
}
