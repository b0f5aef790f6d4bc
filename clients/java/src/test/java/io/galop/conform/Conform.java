package io.galop.conform;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.galop.client.FeedException;
import io.galop.client.FeedRecord;
import io.galop.client.GalopClient;
import io.galop.client.QueuePolicy;
import io.galop.client.SubscribeOptions;
import io.galop.client.Subscription;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A viewer as the conformance test runs it, on the jar: see docs/clients.md. */
public final class Conform {
  private volatile CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

  private Conform() {}

  public static void main(String[] args) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (int i = 2; i < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    new Conform().run(args[0], args[1], options);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static synchronized void say(String event, Object... more) {
    StringWriter line = new StringWriter();
    try (JsonGenerator to = new JsonFactory().createGenerator(line)) {
      to.writeStartObject();
      to.writeStringField("event", event);
      for (int i = 0; i < more.length; i += 2) {
        to.writeObjectField((String) more[i], more[i + 1]);
      }
      to.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println(line);
  }

  private void run(String url, String filter, Map<String, String> options) throws IOException {
    GalopClient.Builder builder =
        GalopClient.builder()
            .url(url)
            .onConnection(
                now ->
                    say(
                        "connection",
                        "state",
                        word(now.state()),
                        "code",
                        now.code(),
                        "reason",
                        now.reason()))
            .onToken((reason, message) -> say("token", "reason", reason));
    if (options.containsKey("--token-file")) {
      Path file = Path.of(options.get("--token-file"));
      builder.token(() -> Files.readString(file).strip());
    }
    int max = Integer.parseInt(options.getOrDefault("--max-queue", "10000"));
    String policy = options.getOrDefault("--policy", "end").replace('-', '_');
    SubscribeOptions wishes =
        SubscribeOptions.create()
            .snapshot()
            .queue(max, QueuePolicy.valueOf(policy.toUpperCase(Locale.ROOT)))
            .onStatus(now -> say("status", "state", word(now.state()), "reason", now.reason()))
            .onTopic(age -> say("topic", "topic", age.topic(), "stale", age.isStale()));
    try (GalopClient client = builder.connect()) {
      watch(client.subscribe(filter, wishes));
      hear(client);
    }
  }

  private void watch(Subscription subscription) {
    subscription
        .forEach(this::show)
        .whenComplete(
            (over, why) ->
                say(
                    "end",
                    "reason",
                    why instanceof FeedException told
                        ? told.reason()
                        : why == null ? "" : why.toString()));
  }

  private void show(FeedRecord record) {
    say(
        "record",
        "topic",
        record.topic(),
        "id",
        record.id(),
        "position",
        record.position().map(Object::toString).orElse(""),
        "catchingUp",
        record.isCatchingUp(),
        "afterGap",
        record.isAfterGap());
    held.join();
  }

  private void hear(GalopClient client) throws IOException {
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String word = words.readLine(); word != null; word = words.readLine()) {
      switch (word) {
        case "hold" -> {
          held = new CompletableFuture<>();
          say("held");
        }
        case "go" -> held.complete(null);
        case "end" -> client.close();
        default -> throw new IllegalArgumentException(word);
      }
    }
  }
}
