package io.galop.ops;

import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Whether topics fell silent for longer than {@code broadcast.freshness} allows, and which. A topic
 * that comes now and then begins and ends its silence again and again, so the words stay for half a
 * minute.
 */
final class SilenceCheck implements Check {
  private static final String PART = "silent topics";
  private static final String REPORT = "silent";
  private static final String WORDS = "nothing new for longer than broadcast.freshness allows";
  private static final int QUIET_LOOKS = 30;
  private static final long MINUTES_AN_HOUR = 60;

  private final Node node;
  private Future<JsonObject> asked = Future.succeededFuture(new JsonObject());
  private int quiet;

  SilenceCheck(Node node) {
    this.node = node;
  }

  @Override
  public void look(MeterSums meters) {
    if (meters.sum("galop.broadcast.stale.topics") == 0) {
      asked = Future.succeededFuture(new JsonObject());
      isQuiet();
      return;
    }
    if (!asked.isComplete()) {
      return;
    }
    if (asked.succeeded() && asked.result().containsKey("count")) {
      judge(asked.result());
    }
    node.reports().find(REPORT).ifPresent(report -> asked = report.answer(Map.of()));
  }

  private void isQuiet() {
    if (++quiet >= QUIET_LOOKS) {
      node.readiness().calm(PART, "no topic is silent for longer than it may be");
    }
  }

  private void judge(JsonObject silent) {
    int count = silent.getInteger("count");
    if (count == 0) {
      isQuiet();
      return;
    }
    quiet = 0;
    JsonArray topics = silent.getJsonArray("topics");
    String named =
        topics.stream().map(topic -> named((JsonObject) topic)).collect(Collectors.joining(", "));
    String all = count == 1 ? "1 topic" : String.format(Locale.ROOT, "%,d topics", count);
    int forLong = silent.getInteger("forLong");
    String others = forLong > 0 ? String.format(Locale.ROOT, ", and %,d for long", forLong) : "";
    node.readiness()
        .warnNaming(
            PART,
            WORDS
                + ": "
                + named
                + (count > topics.size() ? ", … (" + all + " in all)" : "")
                + others,
            WORDS + ": " + all + others,
            "see to the sensor or publisher of these topics");
  }

  /** Coarse, so that all nodes say the same of a topic, and seldom something else. */
  private static String named(JsonObject topic) {
    long minutes = TimeUnit.MILLISECONDS.toMinutes(topic.getLong("silentMs"));
    String age =
        minutes == 0
            ? "less than a minute"
            : minutes < MINUTES_AN_HOUR ? minutes + " min" : minutes / MINUTES_AN_HOUR + " h";
    return topic.getString("topic") + " (" + age + ")";
  }
}
