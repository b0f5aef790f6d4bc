package io.galop.ingest.poll;

import io.galop.config.ingest.PollHeaderConfig;
import io.galop.config.ingest.PollSourceConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a source, one request at a time, within its limits of time and size. */
final class PollRequest {
  /**
   * What came back.
   *
   * @param body nothing if what was known still holds
   * @param validators headers that the next request may send, to be told that nothing has changed
   */
  record Reply(boolean isModified, Buffer body, Map<CharSequence, String> validators) {}

  /** A request that is under way, or still waits for its connection. */
  private static final class Attempt {
    /** Null until its connection is there, and again when it was cancelled. */
    private @Nullable HttpClientRequest request;

    private boolean isOver;

    /** Its connection is there; nobody may wait for its answer any more. */
    Future<HttpClientRequest> begin(HttpClientRequest opened) {
      if (isOver) {
        opened.connection().close();
        return Future.failedFuture("its connection came too late");
      }
      request = opened;
      return Future.succeededFuture(opened);
    }

    void cancel() {
      isOver = true;
      if (request != null) {
        request.reset();
        request = null;
      }
    }
  }

  private final Vertx vertx;
  private final PollSourceConfig source;
  private final HttpClient client;
  private Attempt current = new Attempt();

  PollRequest(Vertx vertx, PollSourceConfig source) {
    this.vertx = vertx;
    this.source = source;
    HttpClientOptions options =
        new HttpClientOptions()
            .setDecompressionSupported(true)
            .setConnectTimeout((int) source.timeoutMs())
            .setSslHandshakeTimeout(source.timeoutMs())
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setSsl(source.url().startsWith("https:"))
            .setVerifyHost(source.tls().verifyHost());
    if (!source.tls().caFile().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(source.tls().caFile()));
    }
    this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(1));
  }

  /**
   * Sends the request; fails with a sentence that names no header.
   *
   * @param validators what the last reply gave
   */
  Future<Reply> send(Map<CharSequence, String> validators) {
    return vertx
        .executeBlocking(this::headers)
        .compose(
            headers -> {
              headers.putAll(validators);
              return exchange(headers);
            });
  }

  private Map<CharSequence, String> headers() throws IOException {
    Map<CharSequence, String> headers = new LinkedHashMap<>();
    boolean xml = source.format() == PollSourceConfig.Format.XML;
    headers.put(HttpHeaders.ACCEPT, xml ? "text/xml, application/xml" : "application/json");
    if (source.method() == PollSourceConfig.Method.POST) {
      String usual = xml ? "text/xml; charset=utf-8" : "application/json";
      String given = source.contentType();
      headers.put(HttpHeaders.CONTENT_TYPE, given.isEmpty() ? usual : given);
    }
    if (!source.soapAction().isEmpty()) {
      headers.put("SOAPAction", "\"" + source.soapAction() + "\"");
    }
    for (PollHeaderConfig header : source.headers()) {
      headers.put(header.name(), header.readValue());
    }
    return headers;
  }

  private Future<Reply> exchange(Map<CharSequence, String> headers) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(source.method().name()))
            .setAbsoluteURI(source.url())
            .setConnectTimeout(source.timeoutMs())
            .setFollowRedirects(false);
    Attempt attempt = new Attempt();
    current = attempt;
    Future<Reply> reply =
        client
            .request(options)
            .compose(attempt::begin)
            .compose(
                request -> {
                  headers.forEach(request::putHeader);
                  return request.send(Buffer.buffer(source.body())).compose(this::read);
                });
    return Loop.current(vertx)
        .within(source.timeoutMs(), "its answer", reply)
        .onFailure(failure -> attempt.cancel());
  }

  private Future<Reply> read(HttpClientResponse response) {
    response.exceptionHandler(failure -> {}); // until its body is wanted, nobody minds
    int status = response.statusCode();
    if (status == 304) {
      return Future.succeededFuture(new Reply(false, Buffer.buffer(), Map.of()));
    }
    if (status / 100 == 3) {
      return Future.failedFuture(
          "it answers %d, elsewhere: %s; configure that url"
              .formatted(status, shortened(response.getHeader(HttpHeaders.LOCATION))));
    }
    if (status / 100 != 2) {
      return Future.failedFuture(
          "it answers " + status + " " + shortened(response.statusMessage()));
    }
    return body(response).map(body -> new Reply(true, body, validators(response)));
  }

  private static String shortened(@Nullable String text) {
    String known = text == null ? "" : text;
    return known.length() <= 200 ? known : known.substring(0, 200) + "…";
  }

  private Future<Buffer> body(HttpClientResponse response) {
    Promise<Buffer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    response.handler(
        part -> {
          if (body.length() + part.length() > source.maxBytes()) {
            whole.tryFail("the answer is larger than maxBytes, " + source.maxBytes());
          } else {
            body.appendBuffer(part);
          }
        });
    response.exceptionHandler(whole::tryFail);
    response.endHandler(end -> whole.tryComplete(body));
    return whole.future();
  }

  private static Map<CharSequence, String> validators(HttpClientResponse response) {
    Map<CharSequence, String> validators = new LinkedHashMap<>();
    String tag = response.getHeader(HttpHeaders.ETAG);
    String modified = response.getHeader(HttpHeaders.LAST_MODIFIED);
    if (tag != null) {
      validators.put(HttpHeaders.IF_NONE_MATCH, tag);
    }
    if (modified != null) {
      validators.put(HttpHeaders.IF_MODIFIED_SINCE, modified);
    }
    return validators;
  }

  /** Ends what is under way. */
  Future<Void> close() {
    current.cancel();
    return client.close();
  }
}
