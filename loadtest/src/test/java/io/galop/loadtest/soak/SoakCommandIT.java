package io.galop.loadtest.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import io.galop.loadtest.targets.Peer;
import io.galop.loadtest.targets.Started;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Seconds instead of minutes. */
@Timeout(180)
class SoakCommandIT {
  private static Tool.Ended soak(String... where) throws Exception {
    List<String> all = new ArrayList<>(List.of("soak"));
    all.addAll(List.of(where));
    all.addAll(List.of("--connections", "10", "--rate", "10", "--minutes", "0.03"));
    return Tool.run(all);
  }

  @Test
  void pollersBehindHaproxyMeetNoError() throws Exception {
    Tool.Ended ended =
        soak("--start", Tool.galopJar(), "--haproxy", Tool.root("docker/haproxy.cfg"));
    assertEquals(0, ended.exit(), ended.text());
    JsonObject figures = new JsonObject(ended.text().substring(ended.text().indexOf("{\n")));
    assertTrue(figures.getInteger("answers") > 20, figures.encode());
    assertEquals(0, figures.getInteger("missing"), figures.encode());
  }

  @Test
  void whatAServerLosesIsMissed() throws Exception {
    try (Started started = Peer.LOSING_LOOP.start(List.of())) {
      Tool.Ended ended =
          soak(
              "--transport",
              "websocket",
              "--against",
              "http://127.0.0.1:" + started.target().http().getPort() + "/live",
              "--tcp",
              "127.0.0.1:" + started.target().tcp().getPort());
      assertEquals(1, ended.exit(), ended.text());
      assertFalse(ended.text().contains("\"missing\" : 0"), ended.text());
    }
  }
}
