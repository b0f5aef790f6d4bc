package io.galop.ingest.http;

import io.galop.node.DrillPass;
import io.galop.record.TraceContext;
import io.galop.socket.PercentCoding;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * What the head of a request to publish says.
 *
 * @param topic from the path; empty if every line names its own
 * @param lines whether the body is lines and not one object
 * @param gzip whether the body is packed
 * @param isDrill whether it is of this node's own drill: to a topic of drills, whatever else may be
 *     published here, and each line has its id
 */
record PublishRequest(Optional<String> topic, boolean lines, boolean gzip, boolean isDrill) {
  static final String PATH = "/publish";

  /** A head that cannot be served. */
  record Wrong(int status, String error, long retryAfterMs) {
    /** One that is not wrong at one moment only, or nobody knows until when. */
    Wrong(int status, String error) {
      this(status, error, 0);
    }
  }

  /** What is wrong with the head of a request, if anything is. */
  static Optional<Wrong> check(HttpServerRequest request, long maxBodyBytes) {
    String type = mediaType(request);
    if (!request.method().name().equals("POST")) {
      return wrong(405, "records are published with POST, not " + request.method().name());
    }
    if (!isAsWritten(request.path())) {
      return wrong(404, "the path is to begin with " + PATH + " as it is");
    }
    if (request.path().length() > PATH.length() && !isLines(type) && !isObject(type)) {
      return wrong(
          415,
          "Content-Type '"
              + type
              + "' is not read here; send application/json for one object or"
              + " application/x-ndjson for one a line");
    }
    String coding = coding(request);
    if (!coding.equals("gzip") && !coding.equals("identity")) {
      return wrong(415, "Content-Encoding '" + coding + "' is not read here; send gzip or nothing");
    }
    return contentLength(request) > maxBodyBytes ? wrong(413, tooLarge(maxBodyBytes)) : none();
  }

  /**
   * Routes also match paths such as {@code /%70ublish}, behind which the topic would begin
   * elsewhere; {@code //publish} names none.
   */
  private static boolean isAsWritten(String path) {
    return path.length() <= PATH.length() + 1 || path.startsWith(PATH + "/");
  }

  static String tooLarge(long maxBodyBytes) {
    return "the body is larger than the "
        + maxBodyBytes
        + " bytes of ingest.http.maxBodyBytes; send it in parts";
  }

  private static Optional<Wrong> wrong(int status, String error) {
    return Optional.of(new Wrong(status, error));
  }

  private static Optional<Wrong> none() {
    return Optional.empty();
  }

  /**
   * Reads the head of a request that {@link #check} has found good.
   *
   * @throws IllegalArgumentException if the path is not percent-encoded as it must be
   */
  static PublishRequest of(HttpServerRequest request) {
    boolean gzip = coding(request).equals("gzip");
    String path = request.path();
    if (path.length() <= PATH.length() + 1) {
      return new PublishRequest(Optional.empty(), true, gzip, false);
    }
    String topic = PercentCoding.decode(path.substring(PATH.length() + 1));
    boolean isDrill = isDrill(request);
    boolean isLines = isDrill || isLines(mediaType(request));
    return new PublishRequest(Optional.of(topic), isLines, gzip, isDrill);
  }

  /** Whether it names its topic and is of this node's own drill. */
  static boolean isDrill(HttpServerRequest request) {
    return request.path().length() > PATH.length() + 1
        && DrillPass.isShownBy(request.getHeader(DrillPass.HEADER));
  }

  /** The trace that the publisher says its records are part of, as it says it. */
  static Optional<String> traceparent(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader(TraceContext.HEADER));
  }

  private static boolean isLines(String type) {
    return type.equals("application/x-ndjson") || type.equals("application/ndjson");
  }

  private static boolean isObject(String type) {
    return type.isEmpty() || type.equals("application/json");
  }

  private static String mediaType(HttpServerRequest request) {
    String type = header(request, "Content-Type");
    int parameters = type.indexOf(';');
    return parameters < 0 ? type : type.substring(0, parameters).strip();
  }

  private static String coding(HttpServerRequest request) {
    String coding = header(request, "Content-Encoding");
    return coding.isEmpty() ? "identity" : coding;
  }

  private static long contentLength(HttpServerRequest request) {
    String length = header(request, "Content-Length");
    return length.matches("\\d{1,18}") ? Long.parseLong(length) : 0;
  }

  private static String header(HttpServerRequest request, String name) {
    String value = request.getHeader(name);
    return value == null ? "" : value.strip().toLowerCase(Locale.ROOT);
  }
}
