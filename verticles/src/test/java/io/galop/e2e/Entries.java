package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Who may come in, on every transport alike: tokens and origins. */
final class Entries {
  private static final Function<Row, JsonObject> FROM_NOW =
      row -> new JsonObject().put("since", "");

  /** So long that all rows are in before it ends, on a busy machine too. */
  private static final int SHORT_SECONDS = 15;

  private final Stage stage;

  Entries(Stage stage) {
    this.stage = stage;
  }

  /** Without a token nobody comes in; with one, to what it allows, and for as long. */
  Map<Row, String> auth() throws Exception {
    Round refused = new Round("no token", stage.rows());
    refused.open(row -> List.of(row.live(stage.port(), "")), "auth/#", FROM_NOW);
    refused.await("refused", viewer -> viewer.has("close"));
    refused.check(viewer -> viewer.has("open") ? "it came in without a token" : "");

    Round round = new Round("token", stage.rows());
    round.open(row -> List.of(row.live(stage.port(), token(600))), "auth/#", FROM_NOW);
    round.await("live", viewer -> viewer.has("live"));
    round.say(new JsonObject().put("type", "register").put("address", "other/#"));
    round.await("told what it may not see", viewer -> words(viewer).contains("access_denied"));
    Numbered records = new Numbered(stage.inside(), "auth", 1);
    new Numbered(stage.inside(), "other", 1).publish(5);
    records.publish(5);
    round.await("the records it may see", viewer -> viewer.seen().containsAll(records.all()));
    round.check(viewer -> viewer.ids().equals(records.all()) ? "" : "saw " + viewer.ids());
    round.leave();

    Round expired = new Round("short token", stage.rows());
    expired.open(row -> List.of(row.live(stage.port(), token(SHORT_SECONDS))), "auth/#", FROM_NOW);
    expired.await("sent away", viewer -> viewer.has("close"));
    expired.check(viewer -> words(viewer).contains("token_expired") ? "" : "told " + words(viewer));
    refused.problems().forEach(round::fail);
    expired.problems().forEach(round::fail);
    return round.problems();
  }

  private String token(int seconds) {
    return stage.token(seconds, "auth/#");
  }

  private static List<String> words(Watcher viewer) {
    return viewer.all("err").stream().map(one -> one.getString("body")).toList();
  }

  /** Pages of other origins are refused, those of a listed one are not. */
  Map<Row, String> origin() throws Exception {
    Round round = new Round("origin", stage.rows());
    for (Row row : stage.rows()) {
      if (!row.isChromium() && row.hasOrigin()) {
        checkStatus(round, row);
      }
    }
    List<Row> pages = stage.rows().stream().filter(Row::isChromium).toList();
    Round listed = elsewhere("listed", "a.listed.localhost", pages);
    listed.await("live", viewer -> viewer.has("live"));
    listed.leave();
    Round unlisted = elsewhere("unlisted", "a.unlisted.localhost", pages);
    unlisted.await("refused", viewer -> viewer.has("close"));
    unlisted.check(viewer -> viewer.has("open") ? "a page of another origin came in" : "");
    for (Round done : List.of(listed, unlisted)) {
      done.problems().forEach((row, why) -> round.fail(row(pages, row.transport()), why));
    }
    return round.problems();
  }

  private Round elsewhere(String name, String host, List<Row> pages) {
    Crowd crowd = stage.pageElsewhere(host);
    List<Row> rows =
        pages.stream()
            .map(row -> new Row(row.client(), row.transport(), row.host(), crowd))
            .toList();
    Round round = new Round(name, rows);
    round.open(stage::live, "origin/#", FROM_NOW);
    return round;
  }

  private static Row row(List<Row> rows, String transport) {
    return rows.stream().filter(row -> row.transport().equals(transport)).findFirst().orElseThrow();
  }

  private void checkStatus(Round round, Row row) throws IOException {
    String listed = "http://a.listed.localhost:" + stage.otherPort();
    for (String origin : List.of("http://elsewhere.example", listed + "1", "null")) {
      int status = status(row, origin);
      if (status != 403) {
        round.fail(row, origin + " was answered by " + status);
      }
    }
    int status = status(row, listed);
    if (status != 200 && status != 101) {
      round.fail(row, "the listed origin was answered by " + status);
    }
  }

  private int status(Row row, String origin) throws IOException {
    return Handshake.status(row, stage.port(), stage.token(60, "#"), origin);
  }
}
