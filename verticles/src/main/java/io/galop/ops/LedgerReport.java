package io.galop.ops;

import io.galop.ledger.ClosedMinute;
import io.galop.ledger.ClosedMinute.Line;
import io.galop.ledger.ClosedMinute.Residual;
import io.galop.node.Node;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Minutes of the Ledger in answers and in words. */
final class LedgerReport {
  private LedgerReport() {}

  /**
   * {@code {"minutes":[…]}}, the oldest first.
   *
   * @param minute the beginning of the only one that is wanted; empty for all
   * @throws IllegalArgumentException if that is no time
   */
  static JsonObject json(Node node, String minute) {
    Stream<ClosedMinute> wanted = node.ledger().minutes().stream();
    if (!minute.isEmpty()) {
      long at = at(minute).toEpochMilli();
      wanted = wanted.filter(one -> one.startMs() == at);
    }
    JsonArray all = new JsonArray();
    wanted.forEach(one -> all.add(json(one)));
    return new JsonObject().put("minutes", all);
  }

  private static Instant at(String minute) {
    try {
      return Instant.parse(minute);
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException(
          "minute must be the beginning of a minute in UTC, as 2026-11-24T14:03:00Z", wrong);
    }
  }

  private static JsonObject json(ClosedMinute minute) {
    JsonObject stages = new JsonObject();
    minute.lines().forEach(line -> stages.put(line.stage(), json(line)));
    JsonObject json =
        new JsonObject()
            .put("minute", start(minute))
            .put("settled", minute.isSettled())
            .put("residual", minute.residual());
    minute.unsettled().ifPresent(why -> json.put("why", why));
    return json.put("stages", stages);
  }

  private static JsonObject json(Line line) {
    JsonObject json = new JsonObject();
    List<String> columns = line.border().columns();
    for (int i = 0; i < columns.size(); i++) {
      json.put(columns.get(i), line.sums().get(i));
    }
    json.put("lost", line.lost()).put("doubled", line.doubled());
    if (!line.residuals().isEmpty()) {
      JsonArray shards = new JsonArray();
      line.residuals().forEach(residual -> shards.add(json(residual)));
      json.put("shards", shards);
    }
    return json;
  }

  private static JsonObject json(Residual residual) {
    return new JsonObject()
        .put("shard", residual.shard())
        .put("direction", residual.records() > 0 ? "lost" : "doubled")
        .put("records", Math.abs(residual.records()));
  }

  static String start(ClosedMinute minute) {
    return Instant.ofEpochMilli(minute.startMs()).toString();
  }

  /** What does not balance in a minute. */
  static String sentence(ClosedMinute minute) {
    return minute.lines().stream()
        .filter(line -> line.lost() + line.doubled() > 0)
        .map(LedgerReport::words)
        .collect(Collectors.joining("; ", "minute " + start(minute) + ": ", ""));
  }

  private static String words(Line line) {
    Residual first = line.residuals().get(0);
    return "%s lost %d and doubled %d records, of shard %d and %d others"
        .formatted(
            line.stage(), line.lost(), line.doubled(), first.shard(), line.residuals().size() - 1);
  }
}
