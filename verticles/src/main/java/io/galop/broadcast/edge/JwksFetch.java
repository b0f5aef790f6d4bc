package io.galop.broadcast.edge;

import io.galop.config.broadcast.JwksConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.concurrent.TimeUnit;

/**
 * Gets a set of keys from an address, within its limits of time and size: a client and a connection
 * for each time, which end with it, so that whoever hangs holds nothing. On one event loop.
 */
final class JwksFetch {
  private final Vertx vertx;
  private final JwksConfig config;

  JwksFetch(Vertx vertx, JwksConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  /** Fails with what was wrong; another address that is named instead is not followed. */
  Future<byte[]> get() {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(config.url().startsWith("https:"))
            .setVerifyHost(true)
            .setConnectTimeout((int) config.timeoutMs())
            .setSslHandshakeTimeout(config.timeoutMs())
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    if (!config.caFile().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(config.caFile()));
    }
    HttpClient client = vertx.createHttpClient(options);
    RequestOptions request =
        new RequestOptions().setAbsoluteURI(config.url()).setFollowRedirects(false);
    Future<byte[]> answer =
        client.request(request).compose(HttpClientRequest::send).compose(this::read);
    return Loop.current(vertx)
        .within(config.timeoutMs(), "the answer", answer)
        .onComplete(done -> client.close());
  }

  private Future<byte[]> read(HttpClientResponse response) {
    Promise<byte[]> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    response.exceptionHandler(whole::tryFail);
    if (response.statusCode() != 200) {
      return Future.failedFuture("it answers " + response.statusCode());
    }
    response.handler(part -> take(part, body, whole));
    response.endHandler(end -> whole.tryComplete(body.getBytes()));
    return whole.future();
  }

  private void take(Buffer part, Buffer body, Promise<byte[]> whole) {
    if (body.length() + part.length() > config.maxBytes()) {
      whole.tryFail("its answer is larger than maxBytes, " + config.maxBytes());
    } else {
      body.appendBuffer(part);
    }
  }
}
