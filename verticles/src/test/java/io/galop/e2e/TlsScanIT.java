package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Authority;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each listener with TLS, as the scanner testssl.sh finds it. */
@Timeout(600)
class TlsScanIT {
  private static final int SCAN_SECONDS = 240;

  /** Of its findings, those that name a weakness. */
  private static final Set<String> WEAK = Set.of("LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL");

  /** Sections of the configuration, and the listeners they open. */
  private static final Map<String, String> LISTENERS =
      Map.of(
          "http", "http",
          "management", "management",
          "ingest.tcp", "tcp",
          "ingest.mqtt", "mqtt",
          "ingest.bridge", "bridge",
          "broadcast.mqtt", "mqtt-viewers");

  @TempDir private Path directory;

  private List<String> settings() throws IOException, InterruptedException {
    Path keys = directory.resolve("keys");
    Cli.ok("certificates", keys.toString());
    List<String> sets = new ArrayList<>();
    for (String section : LISTENERS.keySet()) {
      sets.add(section + ".tls.certificate=" + keys.resolve("server.crt"));
      sets.add(section + ".tls.key=" + keys.resolve("server.key"));
    }
    int members = Ports.free();
    sets.addAll(Authority.make(directory.resolve("authority")).settings());
    sets.addAll(List.of("cluster.members=[127.0.0.1:" + members + "]", "cluster.port=" + members));
    sets.addAll(List.of("cluster.busPort=0", "broadcast.mqtt.enabled=true"));
    sets.addAll(List.of("broadcast.mqtt.port=0"));
    List<String> args = new ArrayList<>();
    sets.forEach(set -> args.addAll(List.of("--set", set)));
    return args;
  }

  /** What the scanner finds at an address, by the names that it gives: severity and words. */
  private Map<String, String> scan(String name, String address) throws Exception {
    Path findings = directory.resolve(name + ".json");
    Path words = directory.resolve(name + ".txt");
    Process scanner =
        new ProcessBuilder(
                "testssl",
                "--quiet",
                "--warnings",
                "batch",
                "--color",
                "0",
                "--jsonfile",
                findings.toString(),
                "-p",
                "-s",
                "-f",
                "-R",
                "-H",
                address)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(words.toFile())
            .start();
    try {
      assertTrue(scanner.waitFor(SCAN_SECONDS, TimeUnit.SECONDS), name + " takes too long to scan");
    } finally {
      scanner.descendants().forEach(ProcessHandle::destroyForcibly);
      scanner.destroyForcibly();
    }
    Map<String, String> found = new HashMap<>();
    for (Object each : new JsonArray(Files.readString(findings))) {
      JsonObject one = (JsonObject) each;
      found.put(one.getString("id"), one.getString("severity") + " " + one.getString("finding"));
    }
    return found;
  }

  private void assertStrong(String name, String address) throws Exception {
    Map<String, String> found = scan(name, address);
    List<String> weak =
        found.entrySet().stream()
            .filter(one -> WEAK.contains(one.getValue().split(" ")[0]))
            .map(one -> one.getKey() + ": " + one.getValue())
            .toList();
    assertEquals(List.of(), weak, () -> name + ": " + text(name));
    // A scan that came to nothing would find no weakness either.
    assertEquals("OK offered with final", found.get("TLS1_3"), () -> name + ": " + text(name));
    assertEquals("INFO not offered", found.get("TLS1_1"), () -> name + ": " + text(name));
    if (!name.equals("bus")) {
      String renegotiation = found.getOrDefault("secure_client_renego", "nothing");
      assertTrue(renegotiation.startsWith("OK "), () -> name + ": " + text(name));
    }
  }

  private String text(String name) {
    try {
      return Files.readString(directory.resolve(name + ".txt"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void noListenerHasAWeakProtocolOrCipher() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), settings())) {
      for (String name : LISTENERS.values()) {
        assertStrong(name, node.address(name));
      }
      assertStrong("bus", node.address("bus"));
      assertTrue(!node.complaints().contains("\tat "), "no stack traces:\n" + node.text());
    }
  }
}
