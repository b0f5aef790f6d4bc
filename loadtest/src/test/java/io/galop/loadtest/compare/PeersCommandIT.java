package io.galop.loadtest.compare;

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

/** One table from one run, of a few viewers for a second. */
@Timeout(300)
class PeersCommandIT {
  @TempDir Path directory;

  private Tool.Ended compare(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("peers", "--start", Tool.galopJar()));
    all.addAll(List.of(options));
    all.addAll(List.of("--rate", "20", "--seconds", "1", "--warm-up-seconds", "0"));
    all.addAll(List.of("--json", json().toString()));
    if (!all.contains("--connections")) {
      all.addAll(List.of("--connections", "20"));
    }
    return Tool.run(all);
  }

  private Path json() {
    return directory.resolve("compare.json");
  }

  @Test
  void galopAndAllPeersAreInOneTable() throws Exception {
    Tool.Ended ended = compare("--null-server");
    assertEquals(0, ended.exit(), ended.text());
    JsonObject written = new JsonObject(Files.readString(json()));
    JsonArray medians = written.getJsonArray("medians");
    assertEquals(5, medians.size(), ended.text());
    for (int i = 0; i < medians.size(); i++) {
      JsonObject server = medians.getJsonObject(i);
      assertEquals(0, server.getInteger("missing"), server.encode());
      assertEquals(0, server.getInteger("duplicates"), server.encode());
      assertEquals(0, server.getInteger("socketsLeft"), server.encode());
      assertTrue(server.getDouble("serverResidentMb") > 0.5, server.encode());
    }
    assertTrue(ended.text().contains("galop websocket / epoll-loop websocket"), ended.text());
    assertEquals(0, written.getJsonObject("nullServer").getInteger("missing"));
  }

  @Test
  void galopIsWatchedOnEveryTransport() throws Exception {
    String some = "raw-websocket,xhr-streaming,xhr-polling";
    String all = Boolean.getBoolean("galop.long") ? some + ",eventsource,htmlfile,jsonp" : some;
    Tool.Ended ended = compare("--servers", "galop", "--transport", all);
    assertEquals(0, ended.exit(), ended.text());
  }

  @Test
  void aPeerIsWatchedOnTheSameTransports() throws Exception {
    Tool.Ended ended =
        compare("--servers", "sockjs-node", "--transport", "xhr-streaming,xhr-polling");
    assertEquals(0, ended.exit(), ended.text());
  }

  @Test
  void aServerThatLosesMessagesIsFound() throws Exception {
    Tool.Ended ended = compare("--servers", "losing-loop");
    assertEquals(1, ended.exit(), ended.text());
    JsonObject median =
        new JsonObject(Files.readString(json())).getJsonArray("medians").getJsonObject(0);
    assertEquals(2 * 20, median.getInteger("missing"), "two of twenty, for each viewer");
  }

  @Test
  void overTlsGalopIsBesideAProxyAndTheLoop() throws Exception {
    Tool.Ended ended = compare("--servers", "galop-tls,haproxy,epoll-loop-tls");
    assertEquals(0, ended.exit(), ended.text());
    JsonArray medians = new JsonObject(Files.readString(json())).getJsonArray("medians");
    assertEquals(3, medians.size(), ended.text());
    for (int i = 0; i < medians.size(); i++) {
      JsonObject server = medians.getJsonObject(i);
      assertEquals(0, server.getInteger("missing"), server.encode());
      assertEquals(0, server.getInteger("socketsLeft"), server.encode());
    }
    assertTrue(ended.text().contains("galop-tls websocket / haproxy websocket"), ended.text());
  }

  @Test
  void manyViewersAreSharedOutToProcessesAndNodes() throws Exception {
    Tool.Ended ended =
        compare("--servers", "galop", "--nodes", "2", "--per-process", "15", "--sources", "3");
    assertEquals(0, ended.exit(), ended.text());
    assertTrue(ended.text().contains("galop websocket, 2 nodes"), ended.text());
  }

  @Test
  void wrongOptionsAreNamed() throws Exception {
    Tool.Ended none = compare("--connections", "0");
    assertEquals(2, none.exit(), none.text());
    assertTrue(none.text().contains("--connections is 0, but must be"), none.text());
    Tool.Ended unknown = compare("--transport", "pigeon");
    assertEquals(2, unknown.exit(), unknown.text());
    assertTrue(unknown.text().contains("xhr-polling"), unknown.text());
  }
}
