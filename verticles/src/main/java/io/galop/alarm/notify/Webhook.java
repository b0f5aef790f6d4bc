package io.galop.alarm.notify;

import io.galop.config.alarm.WebhookConfig;
import io.galop.config.ingest.PollHeaderConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells a program by a POST of JSON. */
final class Webhook implements TargetWay {
  private final Loop loop;
  private final WebhookConfig config;
  private final HttpClient client;

  Webhook(Loop loop, WebhookConfig config) {
    this.loop = loop;
    this.config = config;
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout((int) config.timeoutMs())
            .setSsl(config.url().startsWith("https:"))
            .setVerifyHost(config.tls().verifyHost());
    if (!config.tls().caFile().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(config.tls().caFile()));
    }
    this.client = loop.vertx().createHttpClient(options);
  }

  @Override
  public Future<Void> send(JsonObject message) {
    return loop.bring(
        loop.vertx().executeBlocking(this::headers).compose(headers -> post(headers, message)));
  }

  /** Secrets may be exchanged while the node runs. */
  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    for (PollHeaderConfig header : config.headers()) {
      headers.put(header.name(), header.readValue());
    }
    return headers;
  }

  private Future<Void> post(Map<String, String> headers, JsonObject message) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(config.url())
            .setTimeout(config.timeoutMs())
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    headers.forEach(request::putHeader);
    return client.request(request).compose(open -> inTime(open, message));
  }

  /** The request's own limit is that of a silence: an answer that never ends is not silent. */
  private Future<Void> inTime(HttpClientRequest request, JsonObject message) {
    return loop.within(config.timeoutMs(), "the whole answer", answer(request, message))
        .onFailure(failure -> request.reset());
  }

  private static Future<Void> answer(HttpClientRequest request, JsonObject message) {
    return request
        .send(message.toBuffer())
        .compose(
            response ->
                response.statusCode() / 100 == 2
                    ? response.end()
                    : response
                        .end()
                        .compose(
                            read -> Future.failedFuture("it answers " + response.statusCode())));
  }

  @Override
  public void close() {
    client.close();
  }
}
