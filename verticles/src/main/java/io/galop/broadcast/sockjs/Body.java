package io.galop.broadcast.sockjs;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gathers the body of a request, up to a limit. */
final class Body {
  private static final String CONTINUE = "100-continue";

  private final HttpServerRequest request;
  private final int maxBytes;
  private final long beganNanos = System.nanoTime();

  /** Null when there is nothing more to gather. */
  private @Nullable Buffer gathered = Buffer.buffer();

  private Consumer<Optional<Buffer>> onEnd = body -> {};

  Body(HttpServerRequest request, int maxBytes) {
    this.request = request;
    this.maxBytes = maxBytes;
  }

  /** When the request came; see {@link System#nanoTime}. */
  long beganNanos() {
    return beganNanos;
  }

  /**
   * Begins.
   *
   * @param end gets the body when all of it is there; nothing if it does not come or was refused
   */
  void read(Consumer<Optional<Buffer>> end) {
    onEnd = end;
    request.exceptionHandler(broken -> end(Optional.empty()));
    request.handler(this::take);
    request.endHandler(complete -> end(Optional.ofNullable(gathered)));
    if (CONTINUE.equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    request.resume();
  }

  private void end(Optional<Buffer> body) {
    if (gathered != null) {
      gathered = null;
      onEnd.accept(body);
    }
  }

  private void take(Buffer part) {
    if (gathered == null) {
      return;
    }
    if (gathered.length() + part.length() <= maxBytes) {
      gathered.appendBuffer(part);
    } else {
      refuse(413, "messages may have " + maxBytes + " bytes");
    }
  }

  /** Answers, and takes no more; who does not come to an end loses the connection. */
  void refuse(int status, String why) {
    end(Optional.empty());
    Headers.cors(request);
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end("{\"error\":\"" + why + "\"}");
    if (status == 408) {
      request.connection().close();
    }
  }
}
