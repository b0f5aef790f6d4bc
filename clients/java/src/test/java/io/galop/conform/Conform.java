package io.galop.conform;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.galop.client.Caps;
import io.galop.client.FeedException;
import io.galop.client.FeedRecord;
import io.galop.client.GalopClient;
import io.galop.client.History;
import io.galop.client.HistoryQuery;
import io.galop.client.HistoryRows;
import io.galop.client.QueuePolicy;
import io.galop.client.SubscribeOptions;
import io.galop.client.Subscription;
import io.galop.client.Wishes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            .onCapped(Conform::sayCapped)
            .onTopic(age -> say("topic", "topic", age.topic(), "stale", age.isStale()));
    try (GalopClient client = builder.connect()) {
      Subscription subscription = client.subscribe(filter, wishes);
      watch(subscription);
      hear(client, subscription);
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

  private static void sayCapped(Caps caps) {
    String rates =
        caps.lower().stream()
            .map(each -> each.topics() + " " + each.maxRate())
            .collect(Collectors.joining(","));
    String rate = caps.maxRate().isPresent() ? "" + caps.maxRate().getAsDouble() : "-";
    OptionalLong bytes = caps.maxBytesPerSecond();
    String most = bytes.isPresent() ? "" + bytes.getAsLong() : "-";
    say("capped", "caps", rate + " " + most + " " + rates);
  }

  private static String text(Stream<?> parts, String incomplete) {
    return parts.map(String::valueOf).collect(Collectors.joining(","))
        + (incomplete.isEmpty() ? "" : " without " + incomplete);
  }

  private static String span(HistoryRows.Row row) {
    Map<?, ?> aggregates = (Map<?, ?>) row.data().get("n");
    return row.topic() + " " + aggregates.get("min") + " " + aggregates.get("max");
  }

  private static String records(GalopClient client, String filter) {
    List<String> read = new ArrayList<>();
    HistoryQuery query = HistoryQuery.create().limit(3);
    History page = join(client.history(filter, query));
    while (!page.records().isEmpty()) {
      read.add(text(page.records().stream().map(FeedRecord::id), page.incomplete()));
      FeedRecord last = page.records().get(page.records().size() - 1);
      boolean isFull = page.records().size() == 3;
      page = isFull ? join(client.history(filter, query.after(last))) : new History(List.of(), "");
    }
    return String.join(";", read);
  }

  private static String rows(GalopClient client, String filter) {
    List<String> read = new ArrayList<>();
    HistoryQuery query =
        HistoryQuery.create().every(Duration.ofDays(1)).fields("n").agg("min", "max").limit(2);
    HistoryRows page = join(client.rows(filter, query));
    read.add(text(page.rows().stream().map(Conform::span), page.incomplete()));
    while (!page.next().isEmpty()) {
      page = join(client.rows(filter, query.after(page)));
      read.add(text(page.rows().stream().map(Conform::span), page.incomplete()));
    }
    return String.join(";", read);
  }

  private static <T> T join(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private static void askPast(GalopClient client, String filter) {
    HistoryQuery plot = HistoryQuery.create().fields("n").points(3);
    HistoryRows points = join(client.rows(filter, plot));
    Stream<?> values = points.rows().stream().map(row -> row.data().get("n"));
    String records = records(client, filter);
    String rows = rows(client, filter);
    client
        .history(filter, HistoryQuery.create().limit(0))
        .whenComplete(
            (none, why) -> {
              FeedException told = (FeedException) why.getCause();
              String refusal = told.reason() + " " + told.code() + " " + told.getMessage();
              String shown = text(values, points.incomplete());
              say("past", "records", records, "rows", rows, "points", shown, "refusal", refusal);
            });
  }

  private static void update(Subscription subscription, Wishes wishes) {
    subscription
        .update(wishes)
        .whenComplete(
            (done, why) ->
                say("updated", "reason", why instanceof FeedException told ? told.reason() : ""));
  }

  private void hear(GalopClient client, Subscription subscription) throws IOException {
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String word = words.readLine(); word != null; word = words.readLine()) {
      switch (word) {
        case "hold" -> {
          held = new CompletableFuture<>();
          say("held");
        }
        case "go" -> held.complete(null);
        case "past" -> askPast(client, subscription.filter());
        case "narrow" ->
            update(subscription, Wishes.create().where("data.n >= 100").maxRate(1_000));
        case "wrong" -> update(subscription, Wishes.create().where("data."));
        case "end" -> client.close();
        default -> throw new IllegalArgumentException(word);
      }
    }
  }
}
