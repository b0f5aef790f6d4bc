package io.galop.loadtest.stalled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few viewers that never read, beside a few that do. */
@Timeout(300)
class StalledCommandIT {
  @TempDir Path directory;

  private Tool.Ended stalled(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("stalled", "--start", Tool.galopJar()));
    all.addAll(List.of("--connections", "5", "--stalled", "4"));
    all.addAll(List.of("--seconds", "1", "--warm-up-seconds", "1"));
    all.addAll(List.of("--json", directory.resolve("stalled.json").toString()));
    all.addAll(List.of(options));
    return Tool.run(all);
  }

  @Test
  void thoseWhoReadMissNothingBesideOthersThatDoNot() throws Exception {
    Tool.Ended ended =
        stalled(
            "--rounds",
            "1",
            "--rate",
            "50",
            "--bytes",
            "20000",
            "--settle-seconds",
            "5",
            "--transport",
            "websocket,xhr-streaming");
    JsonArray written = new JsonArray(Files.readString(directory.resolve("stalled.json")));
    assertEquals(2, written.size(), ended.text());
    for (int i = 0; i < written.size(); i++) {
      JsonObject outcome = written.getJsonObject(i);
      assertEquals(0, outcome.getInteger("missing"), outcome.encode());
      assertEquals(0, outcome.getInteger("lostViewers"), outcome.encode());
      JsonObject round = outcome.getJsonArray("rounds").getJsonObject(0);
      assertTrue(round.getInteger("fullSockets") >= 4, outcome.encode());
    }
  }

  @Test
  void viewersThatHaveNotStalledYetAreNamed() throws Exception {
    Tool.Ended ended =
        stalled("--rounds", "1", "--rate", "1", "--settle-seconds", "1", "--transport", "htmlfile");
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(ended.text().contains("DID NOT STALL"), ended.text());
  }

  @Test
  void wrongOptionsAreNamed() throws Exception {
    Tool.Ended none = stalled("--rounds", "0");
    assertEquals(2, none.exit(), none.text());
    assertTrue(none.text().contains("are from 1 on"), none.text());
    Tool.Ended other = stalled("--transport", "socket.io");
    assertEquals(2, other.exit(), other.text());
  }
}
