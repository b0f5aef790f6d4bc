package io.galop.loadtest.freeze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short freeze under a small load; latencies and memory are not judged on a busy machine. */
@Timeout(240)
class FreezeCommandIT {
  @TempDir Path directory;

  @Test
  void viewersOfAFrozenNodeHaveEverythingOrAreTold() throws Exception {
    Path json = directory.resolve("freeze.json");
    Tool.Ended ended =
        Tool.run(
            List.of(
                "freeze",
                "--start",
                Tool.galopJar(),
                "--nodes",
                "2",
                "--viewers",
                "2",
                "--freeze-seconds",
                "2",
                "--warm-up-seconds",
                "1",
                "--baseline-seconds",
                "1",
                "--after-seconds",
                "1",
                "--megabytes-per-second",
                "0.1",
                "--json",
                json.toString()));
    assertTrue(ended.text().contains("viewers have every record or were told"), ended.text());
    JsonObject outcome = new JsonArray(Files.readString(json)).getJsonObject(0);
    assertEquals(0, outcome.getJsonObject("others").getInteger("missing"), outcome.encode());
    assertTrue(outcome.getJsonObject("frozen").getInteger("received") > 100, outcome.encode());
  }
}
