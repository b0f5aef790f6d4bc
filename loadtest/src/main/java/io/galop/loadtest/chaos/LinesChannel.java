package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A stream of one filter that sends a message on each line: what registers opens it. */
final class LinesChannel implements Channel, Flow.Subscriber<String> {
  private static final long OPEN_SECONDS = 10;
  private static final int OK = 200;

  private final HttpClient client;
  private final String http;
  private final Received received = new Received();
  private final CompletableFuture<Integer> opened = new CompletableFuture<>();
  private @Nullable CompletableFuture<?> response;

  LinesChannel(HttpClient client, String http) {
    this.client = client;
    this.http = http;
  }

  @Override
  public void send(String message) throws IOException, InterruptedException {
    JsonObject register = new JsonObject(message);
    String query =
        register.getJsonObject("headers").stream()
            .map(header -> header.getKey() + "=" + encoded(String.valueOf(header.getValue())))
            .collect(Collectors.joining("&"));
    URI uri = URI.create(http + "/stream/" + encoded(register.getString("address")) + "?" + query);
    response = client.sendAsync(HttpRequest.newBuilder(uri).build(), this::body);
    response.whenComplete((done, failure) -> onEnd(failure));
    int status = await();
    if (status != OK) {
      throw new IOException("a stream began with status " + status);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse.BodySubscriber<@Nullable Void> body(HttpResponse.ResponseInfo info) {
    opened.complete(info.statusCode());
    return BodySubscribers.fromLineSubscriber(this, all -> null, StandardCharsets.UTF_8, "\n");
  }

  private void onEnd(@Nullable Throwable failure) {
    String why = failure == null ? "the stream ended" : failure.toString();
    received.end(why);
    opened.completeExceptionally(new IOException(why));
  }

  private int await() throws IOException, InterruptedException {
    try {
      return opened.get(OPEN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("stream: " + e.getMessage(), e);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    received.add(line);
  }

  @Override
  public void onError(Throwable failure) {
    onEnd(failure);
  }

  @Override
  public void onComplete() {
    onEnd(null);
  }

  @Override
  public List<String> next() throws IOException, InterruptedException {
    return received.next();
  }

  @Override
  public void close() {
    if (response != null) {
      response.cancel(true);
    }
  }
}
