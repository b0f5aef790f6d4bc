package io.galop.client;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks for tokens and opens connections with them. For any thread; nothing here blocks its caller.
 */
final class Door {
  /** A connection did not come about. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient End end;

    Refused(End end) {
      super(end.message());
      this.end = end;
    }
  }

  private static final long TOKEN_MS = 30_000;
  private static final Duration OPEN = Duration.ofSeconds(10);
  private static final Duration HISTORY = Duration.ofSeconds(60);
  private static final Duration ASK = Duration.ofSeconds(5);

  private final HttpClient http;
  private final Executor executor;
  private final TokenSource source;
  final boolean isRenewable;

  /**
   * @param executor on which tokens are asked for
   * @param isRenewable whether another connection may have another token
   */
  Door(HttpClient http, Executor executor, TokenSource source, boolean isRenewable) {
    this.http = http;
    this.executor = executor;
    this.source = source;
    this.isRenewable = isRenewable;
  }

  /** Fails with {@link Refused} if there is none. */
  CompletableFuture<String> token() {
    return CompletableFuture.supplyAsync(this::ask, executor)
        .orTimeout(TOKEN_MS, TimeUnit.MILLISECONDS);
  }

  private String ask() {
    try {
      @Nullable String token = source.token();
      return token == null ? "" : token;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new Refused(End.lost("no token: " + e));
    }
  }

  private static String query(String token) {
    return token.isEmpty() ? "" : "?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
  }

  /**
   * Opens a websocket.
   *
   * @param url of the feed, http or https
   * @return fails with {@link Refused}
   */
  CompletableFuture<WebSocket> dial(String url, String token, WebSocket.Listener listener) {
    URI to = URI.create(url.replaceFirst("^http", "ws") + "/websocket" + query(token));
    return http.newWebSocketBuilder()
        .connectTimeout(OPEN)
        .buildAsync(to, listener)
        .orTimeout(2 * OPEN.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (socket, fault) ->
                fault == null ? CompletableFuture.completedFuture(socket) : why(url, token, fault))
        .thenCompose(opened -> opened);
  }

  /** The handshake's answer has no body here; the node says why to who asks. */
  private CompletableFuture<WebSocket> why(String url, String token, Throwable fault) {
    Throwable cause = cause(fault);
    if (!(cause instanceof WebSocketHandshakeException refused)) {
      String message = cause.getMessage();
      return failed(End.lost(message == null ? cause.getClass().getSimpleName() : message));
    }
    End plain =
        new End(
            refused.getResponse().statusCode(),
            "",
            "the node answers " + refused.getResponse().statusCode(),
            false,
            0);
    URI info = URI.create(url + "/info" + query(token));
    return http.sendAsync(
            HttpRequest.newBuilder(info).timeout(ASK).build(), HttpResponse.BodyHandlers.ofString())
        .handle((answer, failure) -> failed(failure == null ? end(answer, plain) : plain))
        .thenCompose(end -> end);
  }

  /**
   * Asks a node about the past.
   *
   * @param url of its feed
   * @return fails with {@link FeedException}
   */
  CompletableFuture<History> history(String url, String filter, HistoryQuery query) {
    return ask(url, filter, query).thenApply(Door::history);
  }

  /** The same for rows. */
  CompletableFuture<HistoryRows> rows(String url, String filter, HistoryQuery query) {
    return ask(url, filter, query).thenApply(answer -> rows(answer, query));
  }

  private CompletableFuture<HttpResponse<String>> ask(
      String url, String filter, HistoryQuery query) {
    String beside = url.substring(0, url.lastIndexOf('/'));
    URI to = URI.create(beside + "/history/" + HistoryQuery.path(filter) + query.query());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to).timeout(HISTORY).header("Accept", "application/x-ndjson");
    return token()
        .thenCompose(
            token -> {
              if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
              }
              return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
            })
        .handle((answer, fault) -> checked(answer, fault));
  }

  private static HttpResponse<String> checked(
      @Nullable HttpResponse<String> answer, @Nullable Throwable fault) {
    if (answer == null || fault != null) {
      End end = end(fault == null ? new IllegalStateException("no answer") : fault);
      String reason = end.reason().isEmpty() ? "unavailable" : end.reason();
      throw new FeedException(reason, end.message(), 0);
    }
    int status = answer.statusCode();
    if (status != 200) {
      Message said = said(answer.body());
      String reason = said.word.isEmpty() ? "status_" + status : said.word;
      String message = said.message.isEmpty() ? "the node answers " + status : said.message;
      throw new FeedException(reason, message, status);
    }
    return answer;
  }

  private static History history(HttpResponse<String> answer) {
    List<FeedRecord> records =
        answer.body().lines().map(line -> past(answer, line).record(false, false)).toList();
    return new History(records, header(answer, "X-Galop-Incomplete"));
  }

  private static HistoryRows rows(HttpResponse<String> answer, HistoryQuery query) {
    List<HistoryRows.Row> rows =
        answer.body().lines().map(line -> past(answer, line).row()).toList();
    return new HistoryRows(
        rows,
        header(answer, "X-Galop-Incomplete"),
        query.isOfPoints() ? "" : header(answer, "X-Galop-Next"),
        header(answer, "X-Galop-Reduced").equals("true"));
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** A line of an answer about the past; of a balancer's, which is another, all is told. */
  private static Message past(HttpResponse<String> answer, String line) {
    Message said = said(line);
    if (said.topic.isEmpty()) {
      int status = answer.statusCode();
      String what = "the answer (status %d) is no NDJSON of records, as a node's is: %s";
      throw new FeedException(
          "invalid_answer", what.formatted(status, Json.shortened(answer.body())), status);
    }
    return said;
  }

  private static CompletableFuture<WebSocket> failed(End end) {
    return CompletableFuture.failedFuture(new Refused(end));
  }

  private End end(HttpResponse<String> answer, End plain) {
    int status = answer.statusCode();
    if (status == 200) {
      return plain;
    }
    double jitter = 0.75 + ThreadLocalRandom.current().nextDouble() / 2;
    long retryMs = (long) (retryAfterSeconds(answer) * 1000 * jitter);
    return End.refused(status, said(answer.body()), retryMs, isRenewable);
  }

  /** What the node asks to wait, or 0. */
  static long retryAfterSeconds(HttpResponse<?> answer) {
    return answer.headers().firstValue("Retry-After").map(Door::seconds).orElse(0L);
  }

  private static long seconds(String text) {
    return text.matches("[0-9]{1,6}") ? Long.parseLong(text) : 0;
  }

  /** What an answer says; nothing if it is not of a node. */
  static Message said(String body) {
    try {
      return Message.parse(body);
    } catch (IllegalArgumentException e) {
      return Message.parse("{}"); // of a balancer, not of a node
    }
  }

  /** What a future's failure is about. */
  static Throwable cause(Throwable fault) {
    @Nullable Throwable cause = fault instanceof CompletionException ? fault.getCause() : null;
    return cause == null ? fault : cause(cause);
  }

  /** Why no connection came about. */
  static End end(Throwable fault) {
    Throwable cause = cause(fault);
    return cause instanceof Refused refused ? refused.end : End.lost(String.valueOf(cause));
  }
}
