package io.galop.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Publishes to one node over the http door. A record is acknowledged when {@code publish} returns:
 * it is on the node's disk. Until then it is sent again under the same id, which Galop stores once.
 * For any thread: one Publisher sends one record after the other, and others wait for their turn.
 */
public final class Publisher {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final long FIRST_DELAY_MS = 200;
  private static final long MAX_DELAY_MS = 10_000;

  private final HttpClient http;
  private final URI door;
  private final String token;
  private final ReentrantLock turn = new ReentrantLock(true);

  private Publisher(HttpClient http, URI door, String token) {
    this.http = http;
    this.door = door;
    this.token = token;
  }

  /**
   * Publishes to a node, such as {@code http://127.0.0.1:8080}.
   *
   * @param token what the door asks for, or an empty text
   * @throws IllegalArgumentException unless the url begins with http:// or https://
   */
  public static Publisher to(String url, String token) {
    HttpClient usual =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
    return to(url, token, usual);
  }

  /** The same with another TLS context, a proxy, or the like. */
  public static Publisher to(String url, String token, HttpClient http) {
    if (!url.matches("https?://[^?#]+")) {
      throw new IllegalArgumentException("url must be http://host:port or https://…, not " + url);
    }
    return new Publisher(http, URI.create(url.replaceFirst("/+$", "") + "/publish"), token);
  }

  /** Publishes under a new id; see the other. */
  public String publish(String topic, String json) throws InterruptedException {
    return publish(topic, json, UUID.randomUUID().toString());
  }

  /**
   * Publishes one record and returns its id. It keeps trying while the node is away or cannot take
   * it; interrupt the thread to give up, and publish it later under the same id to go on.
   *
   * @param json its data, a JSON object
   * @throws FeedException if the node refuses it for good
   * @throws IllegalArgumentException if the data is no JSON object
   */
  public String publish(String topic, String json, String id) throws InterruptedException {
    String line = Json.record(topic, json, id);
    turn.lockInterruptibly();
    try {
      long delayMs = FIRST_DELAY_MS;
      for (long waitMs = attempt(line); waitMs >= 0; waitMs = attempt(line)) {
        double jitter = 0.5 + ThreadLocalRandom.current().nextDouble();
        Thread.sleep(Math.max(waitMs, (long) (delayMs * jitter)));
        delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
      }
      return id;
    } finally {
      turn.unlock();
    }
  }

  /** -1 if it is acknowledged, else after how many milliseconds at least to try again. */
  private long attempt(String line) throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(door)
            .timeout(ANSWER)
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofString(line));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<String> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return verdict(answer);
    } catch (IOException e) {
      return 0;
    }
  }

  private static long verdict(HttpResponse<String> answer) {
    int status = answer.statusCode();
    Message said = Door.said(answer.body());
    if (status == 202 && said.word.isEmpty()) {
      return -1;
    }
    boolean isTransient = said.word.equals("over_quota") || said.word.equals("unavailable");
    boolean isOfStatus = said.word.isEmpty() && (status == 408 || status == 429 || status >= 500);
    if (isTransient || isOfStatus) {
      return Door.retryAfterSeconds(answer) * 1000;
    }
    String reason = said.word.isEmpty() ? "status_" + status : said.word;
    String message = said.message.isEmpty() ? "the node answers " + status : said.message;
    throw new FeedException(reason, message, status);
  }
}
