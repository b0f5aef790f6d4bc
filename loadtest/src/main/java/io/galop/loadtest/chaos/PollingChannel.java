package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A session of xhr-polling. An answer that breaks ends it: what was in it is gone. */
final class PollingChannel implements Channel {
  private static final Duration POLL = Duration.ofSeconds(40);
  private static final Duration SEND = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  private final HttpClient client;
  private final String session;

  private PollingChannel(HttpClient client, String session) {
    this.client = client;
    this.session = session;
  }

  static PollingChannel open(HttpClient client, String http)
      throws IOException, InterruptedException {
    String session = http + "/live/000/" + UUID.randomUUID() + "/xhr";
    PollingChannel channel = new PollingChannel(client, session);
    String opened = channel.post("", "", SEND);
    if (!opened.startsWith("o")) {
      throw new IOException("a session began with " + opened.strip());
    }
    return channel;
  }

  private String post(String suffix, String body, Duration patience)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(session + suffix))
            .timeout(patience)
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != OK && answer.statusCode() != NO_CONTENT) {
      throw new IOException("status " + answer.statusCode() + ": " + answer.body().strip());
    }
    return answer.body();
  }

  @Override
  public void send(String message) throws IOException, InterruptedException {
    post("_send", new JsonArray().add(message).encode(), SEND);
  }

  @Override
  public List<String> next() throws IOException, InterruptedException {
    String frame = post("", "", POLL).strip();
    return switch (frame.isEmpty() ? 'h' : frame.charAt(0)) {
      case 'a' -> new JsonArray(frame.substring(1)).stream().map(String::valueOf).toList();
      case 'h' -> List.of();
      default -> throw new IOException("session ended: " + frame);
    };
  }

  @Override
  public void close() {
    // A session that nobody polls ends by itself.
  }
}
