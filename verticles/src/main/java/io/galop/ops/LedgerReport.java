package io.galop.ops;

import io.galop.ledger.ClosedMinute;
import io.galop.ledger.ClosedMinute.Line;
import io.galop.ledger.ClosedMinute.Residual;
import io.galop.ledger.NodeLedger;
import io.galop.node.Node;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Minutes of the Ledger in answers and in words. */
final class LedgerReport {
  /** In the report of each node that makes dead letters of the records that drills plant for it. */
  private static final String REFUSES_DRILLS = "refusesDrills";

  /** The sum of the columns that begin with it and go on with a reason. */
  private static final String REJECTED = "rejected";

  private LedgerReport() {}

  /**
   * {@code {"minutes":[…],"first":…,"next":…,"refusesDrills":true}}, the oldest first: of this node
   * alone. {@code first} is the minute in which its process began, {@code next} the one that it
   * tells next.
   *
   * @param minute the beginning of the only one that is wanted; empty for all but those that come
   *     yet, which a clock has named that was ahead
   * @param limit most minutes, of which the last are taken
   * @throws IllegalArgumentException if that is no time, or no number
   */
  static JsonObject json(Node node, String minute, String limit) {
    NodeLedger.Told told = node.ledger().told();
    List<ClosedMinute> wanted = minute.isEmpty() ? told.past() : told.minutes();
    if (!minute.isEmpty()) {
      long at = at(minute).toEpochMilli();
      wanted = wanted.stream().filter(one -> one.startMs() == at).toList();
    }
    int most = Math.min(wanted.size(), Integer.parseInt(limit));
    JsonArray all = new JsonArray();
    wanted.subList(wanted.size() - most, wanted.size()).forEach(one -> all.add(json(one)));
    return new JsonObject()
        .put("minutes", all)
        .put("first", Instant.ofEpochMilli(told.firstMs()).toString())
        .put("next", Instant.ofEpochMilli(told.nextMs()).toString())
        .put(REFUSES_DRILLS, true);
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
      String column = columns.get(i);
      if (column.startsWith(REJECTED)) {
        json.put(REJECTED, json.getLong(REJECTED, 0L) + line.sums().get(i));
      }
      json.put(column, line.sums().get(i));
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
