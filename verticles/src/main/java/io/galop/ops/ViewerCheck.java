package io.galop.ops;

import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether viewers miss records, and which. Of many there is always one whose line is cut: so it is
 * said from one in a thousand on, stays for half a minute, and begins and ends seldom.
 */
final class ViewerCheck implements Check {
  private static final String PART = "viewers";
  private static final String REPORT = "viewers/missing";
  private static final int LOOKS_A_QUESTION = 5;
  private static final int QUIET_ANSWERS = 6;
  private static final int NAMED = 3;
  private static final int ONE_IN = 1000;

  private final Node node;
  private Future<JsonObject> asked = Future.succeededFuture(new JsonObject());
  private int looks;
  private int quiet;

  ViewerCheck(Node node) {
    this.node = node;
  }

  @Override
  public void look(MeterSums meters) {
    if (++looks % LOOKS_A_QUESTION != 0 || !asked.isComplete()) {
      return;
    }
    if (asked.succeeded() && asked.result().containsKey("stuck")) {
      judge(asked.result());
    }
    node.reports().find(REPORT).ifPresent(report -> asked = report.answer(Map.of()));
  }

  private void judge(JsonObject answer) {
    List<String> open = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      JsonObject told = answer.getJsonObject(kind.field);
      if (isEnough(told, answer.getInteger("connections"))) {
        String words = kind.words(told);
        open.add(words);
        named.add(words + ": " + named(told, kind));
      }
    }
    if (!open.isEmpty()) {
      quiet = 0;
      node.readiness()
          .warnNaming(
              PART,
              String.join("; ", named),
              String.join("; ", open),
              "see the network and the device of these viewers; the tab Viewers shows them");
    } else if (++quiet >= QUIET_ANSWERS) {
      node.readiness().calm(PART, "no viewer misses records");
    }
  }

  /** As many as are remembered are enough, however many are connected. */
  private static boolean isEnough(JsonObject told, int connections) {
    int count = told.getInteger("count");
    return count >= Math.max(1, connections / ONE_IN) || told.getBoolean("orMore", false);
  }

  /** What may be so of viewers. */
  private enum Kind {
    STUCK("stuck", "waiting", "wait") {
      @Override
      String words(JsonObject told) {
        return isOne(told)
            ? "1 viewer gets nothing new, although records wait for it"
            : viewers(told) + " get nothing new, although records wait for them";
      }
    },
    SENT_AWAY("sentAway", "dropped", "were left") {
      @Override
      String words(JsonObject told) {
        return viewers(told)
            + (isOne(told) ? " was" : " were")
            + " sent away as too slow in the last five minutes, to come back for the rest";
      }
    },
    MISSED("missed", "dropped", "were not sent") {
      @Override
      String words(JsonObject told) {
        return viewers(told) + " had to miss records in the last five minutes";
      }
    };

    private final String field;
    private final String records;
    private final String verb;

    Kind(String field, String records, String verb) {
      this.field = field;
      this.records = records;
      this.verb = verb;
    }

    /** Who it is so of, without names. */
    abstract String words(JsonObject told);

    private static boolean isOne(JsonObject told) {
      return told.getInteger("count") == 1;
    }

    private static String viewers(JsonObject told) {
      if (isOne(told)) {
        return "1 viewer";
      }
      String count = String.format(Locale.ROOT, "%,d", told.getInteger("count"));
      return count + (told.getBoolean("orMore", false) ? " or more viewers" : " viewers");
    }
  }

  private static String named(JsonObject told, Kind kind) {
    JsonArray viewers = told.getJsonArray("viewers");
    String some =
        viewers.stream()
            .limit(NAMED)
            .map(viewer -> one((JsonObject) viewer, kind))
            .collect(Collectors.joining(", "));
    return told.getInteger("count") > NAMED ? some + ", …" : some;
  }

  private static String one(JsonObject viewer, Kind kind) {
    String address = viewer.getString("address");
    String filters =
        viewer.getJsonArray("filters").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    long records = viewer.getLong(kind.records);
    String why =
        kind == Kind.MISSED
            ? "back too late"
            : String.format(Locale.ROOT, "%,d records %s", records, kind.verb);
    return (address.isEmpty() ? "one" : address.replaceFirst("^/", ""))
        + " watching "
        + (filters.isEmpty() ? "nothing now" : filters)
        + " ("
        + why
        + ")";
  }
}
