package io.galop.loadtest.ramp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scenario, much smaller. */
@Timeout(180)
class RampCommandIT {
  @TempDir Path directory;

  private Tool.Ended ramp(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("ramp", "--start", Tool.galopJar()));
    all.addAll(List.of("--down", "5", "--cycles", "2", "--shorten", "200"));
    all.addAll(List.of("--rate", "20", "--sample-ms", "50"));
    all.addAll(List.of("--directory", directory.toString()));
    all.addAll(options.length == 0 ? List.of("--up", "15") : List.of(options));
    return Tool.run(all);
  }

  private JsonObject figures() throws Exception {
    return new JsonObject(Files.readString(directory.resolve("ramp.json")));
  }

  @Test
  void viewersComeAndGoAndMissNothing() throws Exception {
    Tool.Ended ended = ramp();
    assertEquals(0, ended.exit(), ended.text());
    assertTrue(figures().getLong("received") > 100, figures().encode());
    assertEquals(0, figures().getInteger("socketsLeft"), figures().encode());
    List<String> series = Files.readAllLines(directory.resolve("series.csv"));
    String all = String.join("\n", series);
    assertTrue(all.contains(",connecting,") && all.contains(",pause,"), all);
    assertTrue(series.size() > 10, all);
  }

  @Test
  void whatAServerLosesIsMissed() throws Exception {
    Tool.Ended ended = ramp("--up", "15", "--server", "losing-loop");
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(figures().getLong("missing") > 0, figures().encode());
  }

  @Test
  void moreThanAProcessMayHaveIsRefused() throws Exception {
    Tool.Ended ended = ramp("--up", "30000");
    assertEquals(2, ended.exit(), ended.text());
    assertTrue(ended.text().contains("19500"), ended.text());
  }
}
