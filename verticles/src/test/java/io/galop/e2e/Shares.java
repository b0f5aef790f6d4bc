package io.galop.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a token leaves of the records, and for how long it is good, on every transport alike. */
final class Shares {
  private static final double RATE = 0.5;
  private static final int RECORDS = 40;

  private static final Function<Row, JsonObject> FROM_NOW =
      row -> new JsonObject().put("since", "");

  /** It asks for more than its token allows. */
  private static final Function<Row, JsonObject> SNAPSHOT =
      row -> new JsonObject().put("snapshot", "true").put("maxRate", "1000");

  private final Stage stage;

  Shares(Stage stage) {
    this.stage = stage;
  }

  private List<String> live(Row row, String subject, JsonObject view) {
    return List.of(row.live(stage.port(), stage.token(subject, view)));
  }

  private static String fieldsOf(Watcher viewer) {
    for (JsonObject one : viewer.all("rec")) {
      JsonObject data = one.getJsonObject("body").getJsonObject("data");
      if (!data.isEmpty()) {
        return "saw " + data.encode();
      }
    }
    return "";
  }

  /** Fields are left out of live records and of snapshots. */
  Map<Row, String> omit() throws Exception {
    JsonObject view = new JsonObject().put("omit", new JsonArray().add("n"));
    Numbered records = new Numbered(stage.inside(), "omit", 3);
    Round round = new Round("omit", stage.rows());
    round.open(row -> live(row, "anna", view), "omit/#", FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    records.publish(9);
    round.await("all records", viewer -> viewer.seen().containsAll(records.all()));
    round.check(Shares::fieldsOf);
    round.leave();
    round.open(row -> live(row, "anna", view), "omit/#", SNAPSHOT);
    round.await("a snapshot", viewer -> viewer.seen().containsAll(records.newest()));
    round.check(Shares::fieldsOf);
    round.leave();
    return round.problems();
  }

  /** No topic comes more often than its token allows, whatever is asked for. */
  Map<Row, String> maxRate() throws Exception {
    JsonObject view = new JsonObject().put("maxRate", RATE);
    Numbered records = new Numbered(stage.inside(), "rate", 1);
    records.publish(1);
    Round round = new Round("maxRate", stage.rows());
    long begin = System.nanoTime();
    round.open(row -> live(row, "anna", view), "rate/#", SNAPSHOT);
    round.await("live", viewer -> viewer.has("live"));
    for (int n = 0; n < RECORDS; n++) {
      records.publish(1);
      Thread.sleep(50);
    }
    List<String> newest = records.newest();
    round.await("the newest", viewer -> viewer.seen().containsAll(newest));
    double seconds = (System.nanoTime() - begin) / 1e9;
    round.check(
        viewer -> {
          int came = viewer.ids().size();
          boolean isGood = came >= 2 && came <= 1 + RATE * seconds;
          return isGood ? "" : came + " of " + RECORDS + " records in " + seconds + " s";
        });
    round.leave();
    return round.problems();
  }

  /** No topic of a cap comes more often, whatever is asked for; others come; the viewer is told. */
  Map<Row, String> caps() throws Exception {
    Numbered records = new Numbered(stage.inside(), "cap", 2);
    records.publish(2);
    Round round = new Round("caps", stage.rows());
    long begin = System.nanoTime();
    round.open(row -> live(row, "anna", new JsonObject()), "cap/#", SNAPSHOT);
    round.await("live", viewer -> viewer.has("live"));
    for (int n = 0; n < RECORDS; n++) {
      records.publish(2);
      Thread.sleep(50);
    }
    List<String> newest = records.newest();
    round.await("the newest", viewer -> viewer.seen().containsAll(newest));
    double seconds = (System.nanoTime() - begin) / 1e9;
    round.check(viewer -> capped(viewer, seconds));
    round.leave();
    return round.problems();
  }

  private static String capped(Watcher viewer, double seconds) {
    Map<String, Long> came =
        viewer.all("rec").stream()
            .map(one -> one.getJsonObject("headers").getString("topic"))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    long capped = came.getOrDefault("cap/0", 0L);
    boolean isPaced = capped >= 2 && capped <= 1 + RATE * seconds;
    if (!isPaced || came.getOrDefault("cap/1", 0L) < RECORDS / 2) {
      return came + " of " + RECORDS + " records each in " + seconds + " s";
    }
    String told = viewer.all("capped").toString();
    return told.contains("\"topics\":\"cap/0\",\"maxRate\":0.5") ? "" : "was told " + told;
  }

  /** Asked of another node. */
  Map<Row, String> disconnect() throws Exception {
    Round round = new Round("disconnect", stage.rows());
    JsonObject all = new JsonObject();
    round.open(row -> live(row, "gone", all), "gone/#", FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    HttpResponse<String> answer =
        Stored.post(
            stage.inside().management("/viewers/disconnect"),
            "application/json",
            new JsonObject().put("subject", "gone").encode());
    JsonObject told = new JsonObject(answer.body());
    if (told.getInteger("ended") != stage.rows().size() || told.getJsonArray("nodes").size() != 3) {
      stage.rows().forEach(row -> round.fail(row, "the order was answered by " + told.encode()));
    }
    round.await("sent away", viewer -> viewer.has("close"));
    round.check(
        viewer ->
            viewer.all("err").stream().anyMatch(one -> one.getInteger("failureCode", 0) == 3502)
                ? ""
                : "was told " + viewer);
    return round.problems();
  }
}
