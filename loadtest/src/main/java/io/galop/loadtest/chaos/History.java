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
import java.util.List;
import java.util.Map;

/** What {@code GET /history} of a node says of all topics, page by page. */
record History(HttpClient client, String http) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LIMIT = 10_000;
  private static final int OK = 200;

  /**
   * The keys of all records, each as often as it comes.
   *
   * @param positions is given the Position of each
   * @throws IOException if an answer is not complete
   */
  List<String> keys(Map<String, SeenPosition> positions) throws IOException, InterruptedException {
    List<String> keys = new ArrayList<>();
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
        keys.add(key);
        if (record.containsKey("pos")) {
          positions.put(key, SeenPosition.parse(record.getString("pos")));
        }
      }
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
