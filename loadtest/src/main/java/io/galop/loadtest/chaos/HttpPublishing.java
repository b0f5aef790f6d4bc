package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code POST /publish} with lines. */
record HttpPublishing(HttpClient client, PublishedRecords ledger) {
  private static final int ACCEPTED = 202;
  private static final int MOST_LISTED = 1_000;

  /**
   * Sends records and marks those that are acknowledged.
   *
   * @throws IOException if the door took none, or there was no answer
   */
  void send(String http, List<PublishedRecords.Entry> entries)
      throws IOException, InterruptedException {
    entries.forEach(PublishedRecords.Entry::attempt);
    String lines =
        entries.stream().map(PublishedRecords.Entry::line).collect(Collectors.joining("\n"));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(http + "/publish"))
            .timeout(Duration.ofMillis(SteadyPublisher.PATIENCE_MS))
            .header("Content-Type", "application/x-ndjson")
            .header("Authorization", "Bearer " + FaultyNode.TOKEN)
            .POST(BodyPublishers.ofString(lines))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != ACCEPTED) {
      if (answer.statusCode() / 100 == 4 && answer.statusCode() != 429) {
        ledger.onRefused(answer.statusCode() + " " + answer.body());
      }
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    settle(entries, new JsonObject(answer.body()).getJsonArray("rejected", new JsonArray()));
  }

  private void settle(List<PublishedRecords.Entry> entries, JsonArray rejected) throws IOException {
    Map<Integer, JsonObject> byLine = new HashMap<>();
    for (int i = 0; i < rejected.size(); i++) {
      JsonObject rejection = rejected.getJsonObject(i);
      byLine.put(rejection.getInteger("line"), rejection);
      if (!HttpPublisher.isForNow(rejection)) {
        ledger.onRefused(rejection.encode());
      }
    }
    for (int i = 0; i < entries.size() && rejected.size() < MOST_LISTED; i++) {
      if (!byLine.containsKey(i + 1)) {
        entries.get(i).acknowledge();
      }
    }
    if (!byLine.isEmpty()) {
      throw new IOException("rejected " + byLine.size() + ", " + byLine.values().iterator().next());
    }
  }
}
