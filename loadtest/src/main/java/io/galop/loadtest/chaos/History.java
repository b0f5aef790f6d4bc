package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What {@code GET /history} of a node says of all topics, page by page. */
public record History(HttpClient client, String http) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_EVERY_MS = 500;
  private static final int LIMIT = 10_000;
  private static final int OK = 200;

  /** Where a record was found first. */
  private record Found(int page, @Nullable SeenPosition position) {
    /**
     * Whether the same record on another page is a later attempt of its publisher: at another
     * Position, in a part of the past that was asked for by itself, where nothing tells that the
     * record is elsewhere too (docs/decisions/0038).
     */
    boolean isRepeatedOn(int other, @Nullable SeenPosition at) {
      return page != other && position != null && at != null && !position.equals(at);
    }
  }

  /**
   * The same, asked again while an answer is not complete, for a node may still read its Log.
   *
   * @throws IOException if none is until the deadline
   */
  public List<String> wholeKeys(Map<String, SeenPosition> positions, long deadlineNs)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return keys(positions);
      } catch (IOException e) {
        if (System.nanoTime() > deadlineNs) {
          throw new IOException(http + ": " + e.getMessage(), e);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      }
    }
  }

  /**
   * The keys of all records, each as often as it comes; further attempts of one whose owner was
   * lost before it answered count once, if they are on different pages.
   *
   * @param positions is given the Position of each
   * @throws IOException if an answer is not complete
   */
  List<String> keys(Map<String, SeenPosition> positions) throws IOException, InterruptedException {
    List<String> keys = new ArrayList<>();
    Map<String, Found> found = new HashMap<>();
    int pages = 0;
    long from = 0;
    boolean isLast = false;
    while (!isLast) {
      JsonArray page = ask(from);
      isLast = page.size() < LIMIT;
      // A page may end within a microsecond: all of this one is on the next page.
      long until = isLast ? Long.MAX_VALUE : time(page, page.size() - 1);
      if (until == from) {
        throw new IOException(LIMIT + " records have one time: " + from);
      }
      for (int i = 0; i < page.size() && time(page, i) < until; i++) {
        JsonObject record = page.getJsonObject(i);
        String key = record.getJsonObject("data").getString("key");
        String pos = record.getString("pos");
        SeenPosition position = pos == null ? null : SeenPosition.parse(pos);
        Found first = found.putIfAbsent(key, new Found(pages, position));
        if (first == null || !first.isRepeatedOn(pages, position)) {
          keys.add(key);
        }
        if (position != null) {
          positions.put(key, position);
        }
      }
      pages++;
      from = until;
    }
    return keys;
  }

  private static long time(JsonArray page, int record) {
    return page.getJsonObject(record).getLong("time");
  }

  private JsonArray ask(long from) throws IOException, InterruptedException {
    String path = "/history/chaos/%23?limit=" + LIMIT + "&from=" + from;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(http + path))
            .timeout(PATIENCE)
            .header("Accept", "application/json")
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IOException("history: " + answer.statusCode() + " " + answer.body());
    }
    String missing = answer.headers().firstValue("X-Galop-Incomplete").orElse("");
    if (!missing.isEmpty()) {
      throw new IOException("history lacks " + missing);
    }
    return new JsonArray(answer.body());
  }
}
