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
 * Whether viewers miss records, and which. Of many there is always one whose line is cut, so the
 * words stay for half a minute, and begin and end seldom.
 */
final class ViewerCheck implements Check {
  private static final String PART = "viewers";
  private static final String REPORT = "viewers/missing";
  private static final int LOOKS_A_QUESTION = 5;
  private static final int QUIET_ANSWERS = 6;
  private static final int NAMED = 3;

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
    List<String> what = new ArrayList<>();
    int stuck = answer.getInteger("stuckViewers");
    if (stuck > 0) {
      what.add(
          (stuck == 1
                  ? "1 viewer gets nothing new, although records wait for it: "
                  : viewers(stuck) + " get nothing new, although records wait for them: ")
              + named(answer.getJsonArray("stuck"), stuck, "waiting", "wait"));
    }
    int lost = answer.getInteger("lostViewers");
    if (lost > 0) {
      what.add(
          viewers(lost)
              + " had to miss records in the last five minutes: "
              + named(answer.getJsonArray("lost"), lost, "dropped", "were not sent"));
    }
    if (!what.isEmpty()) {
      quiet = 0;
      node.readiness()
          .warn(
              PART,
              String.join("; ", what),
              "see the network and the device of these viewers; the tab Viewers shows them");
    } else if (++quiet >= QUIET_ANSWERS) {
      node.readiness().calm(PART, "no viewer misses records");
    }
  }

  private static String viewers(int count) {
    return count == 1 ? "1 viewer" : String.format(Locale.ROOT, "%,d viewers", count);
  }

  private static String named(JsonArray viewers, int all, String field, String verb) {
    String some =
        viewers.stream()
            .limit(NAMED)
            .map(viewer -> named((JsonObject) viewer, field, verb))
            .collect(Collectors.joining(", "));
    return all > NAMED ? some + ", …" : some;
  }

  private static String named(JsonObject viewer, String field, String verb) {
    String address = viewer.getString("address");
    String filters =
        viewer.getJsonArray("filters").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
    long records = viewer.getLong(field);
    String why =
        records == 0
            ? "back too late"
            : String.format(Locale.ROOT, "%,d records %s", records, verb);
    return (address.isEmpty() ? "one" : address.replaceFirst("^/", ""))
        + " watching "
        + (filters.isEmpty() ? "nothing now" : filters)
        + " ("
        + why
        + ")";
  }
}
