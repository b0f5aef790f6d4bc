package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.write.Outbox;
import io.galop.broadcast.write.Tally;
import io.galop.broadcast.write.Tally.Count;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The viewers of a node with what became of their records, for operators. Each event loop looks at
 * its own viewers once and hands over no more than were asked for.
 */
final class ViewerReport implements Reports.Report {
  private static final int MOST = 1000;
  private static final int FILTERS = 5;

  private final Supplier<Future<List<Hub>>> hubs;

  /** By what viewers are put in order; the first is who has most of it. */
  private enum Order {
    SLOWEST("waiting"),
    DROPPED("dropped"),
    CONFLATED("conflated"),
    PUBLISHED("published"),
    OLDEST("connectedMs");

    private final String field;

    Order(String field) {
      this.field = field;
    }

    static Order parse(String word) {
      return Arrays.stream(values())
          .filter(order -> order.word().equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("order must be one of " + words()));
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static String words() {
      return Arrays.stream(values()).map(Order::word).collect(Collectors.joining(", "));
    }

    long of(Subscriber viewer) {
      return switch (this) {
        case SLOWEST -> viewer.waiting();
        case DROPPED -> viewer.deliveries().dropped();
        case CONFLATED -> viewer.deliveries().conflated();
        case PUBLISHED -> viewer.deliveries().published();
        case OLDEST -> viewer.connectedMs();
      };
    }
  }

  private record Ranked(Subscriber viewer, long rank) {}

  /**
   * @param hubs the event loops' hubs, from any thread
   */
  ViewerReport(Supplier<Future<List<Hub>>> hubs) {
    this.hubs = hubs;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    Order order = Order.parse(parameters.getOrDefault("order", Order.SLOWEST.word()));
    int limit = limit(parameters.getOrDefault("limit", "20"));
    return hubs.get()
        .compose(all -> Future.all(all.stream().map(hub -> ask(hub, order, limit)).toList()))
        .map(answers -> merge(answers.<JsonObject>list(), order, limit));
  }

  private static int limit(String text) {
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= MOST) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("limit must be a whole number from 1 to " + MOST);
  }

  private static Future<JsonObject> ask(Hub hub, Order order, int limit) {
    return LoopTurn.on(hub::post, () -> look(hub, order, limit));
  }

  private static JsonObject look(Hub hub, Order order, int limit) {
    Collection<Subscriber> viewers = hub.subscribers();
    JsonArray first = new JsonArray();
    viewers.stream()
        .map(viewer -> new Ranked(viewer, order.of(viewer)))
        .sorted(Comparator.comparingLong(Ranked::rank).reversed())
        .limit(limit)
        .forEach(ranked -> first.add(one(ranked.viewer)));
    JsonObject sums = sums(hub.tally());
    return sums.put("connections", viewers.size()).put("viewers", first);
  }

  private static JsonObject sums(Tally tally) {
    JsonObject sums = new JsonObject();
    for (Count count : Count.values()) {
      sums.put(count.name().toLowerCase(Locale.ROOT), tally.get(count));
    }
    return sums.put("waiting", tally.waiting());
  }

  /** What is told of one viewer, whoever asks; on its event loop. */
  static JsonObject one(Subscriber viewer) {
    Outbox counts = viewer.deliveries();
    JsonArray filters = new JsonArray();
    viewer.registrations().stream()
        .limit(FILTERS)
        .forEach(registration -> filters.add(registration.filter().toString()));
    return new JsonObject()
        .put("id", counts.whose().id())
        .put("transport", viewer.transport())
        .put("address", viewer.address())
        .put("connectedMs", viewer.connectedMs())
        .put("registrations", viewer.registrations().size())
        .put("filters", filters)
        .put("published", counts.published())
        .put("sent", counts.sent())
        .put("merged", counts.merged())
        .put("conflated", counts.conflated())
        .put("dropped", counts.dropped())
        .put("throttled", counts.throttled())
        .put("maxBytesPerSecond", viewer.maxBytesPerSecond())
        .put("waiting", viewer.waiting())
        .put("waitingBytes", counts.bytes())
        .put("behindRecords", viewer.behind())
        .put("gaps", counts.gaps());
  }

  private static JsonObject merge(List<JsonObject> loops, Order order, int limit) {
    List<JsonObject> viewers = new ArrayList<>();
    JsonObject all = new JsonObject();
    for (JsonObject loop : loops) {
      JsonArray first = (JsonArray) loop.remove("viewers");
      first.forEach(viewer -> viewers.add((JsonObject) viewer));
      loop.forEach(sum -> all.put(sum.getKey(), add(all, sum)));
    }
    Comparator<JsonObject> byField =
        Comparator.comparingLong(viewer -> viewer.getLong(order.field));
    viewers.sort(byField.reversed());
    int most = Math.min(limit, viewers.size());
    return all.put("order", order.word()).put("viewers", new JsonArray(viewers.subList(0, most)));
  }

  private static long add(JsonObject to, Map.Entry<String, Object> sum) {
    return to.getLong(sum.getKey(), 0L) + ((Number) sum.getValue()).longValue();
  }
}
