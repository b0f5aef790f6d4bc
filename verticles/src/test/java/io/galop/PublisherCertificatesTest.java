package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publishers that are known by their certificates, at every door, with real clients. */
@Tag("slow")
@Timeout(180)
class PublisherCertificatesTest {
  private static final String LINE = "{\"topic\":\"%s\",\"data\":{}}\n";
  @TempDir Path directory;
  private TrialAuthority authority;

  private GalopNode start() throws Exception {
    authority = TrialAuthority.in(directory.resolve("keys"));
    authority.sign(new Wanted("server", "localhost", List.of("localhost", "127.0.0.1"), 0, 90));
    authority.sign(new Wanted("pump", "pump 7", List.of(), 0, 90));
    authority.sign(new Wanted("other", "pump 8", List.of(), 0, 90));
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    sets.add("management.port=0");
    for (String section : List.of("http", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(section + ".port=0");
      sets.add(section + ".tls.certificate=" + authority.file("server.crt"));
      sets.add(section + ".tls.key=" + authority.file("server.key"));
      sets.add(section + ".tls.clientCa=" + authority.file("ca.crt"));
    }
    sets.add("ingest.publishers=[{name: seven, certificate: CN=pump 7, topics: [pump/#]}]");
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + "exit " + process.waitFor();
  }

  private List<String> keys(String name, String ca, String cert, String key) {
    return List.of(
        ca, "" + authority.file("ca.crt"),
        cert, "" + authority.file(name + ".crt"),
        key, "" + authority.file(name + ".key"));
  }

  private static String port(GalopNode node, String listener) {
    String address = node.listeners().get(listener);
    return address.substring(address.lastIndexOf(':') + 1);
  }

  private String curl(GalopNode node, String as, String topic, String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("curl", "-sS", "-m", "30", "-d", "{}"));
    all.addAll(keys(as, "--cacert", "--cert", "--key"));
    all.addAll(List.of("-H", "Content-Type: application/json"));
    all.addAll(List.of(more));
    all.add("https://localhost:" + port(node, "http") + "/publish/" + topic);
    return run(all);
  }

  private String mqtt(GalopNode node, String as, String topic) throws Exception {
    List<String> all = new ArrayList<>(List.of("mosquitto_pub", "-h", "localhost", "-q", "1"));
    all.addAll(List.of("-p", port(node, "mqtt"), "-t", topic, "-m", "{}"));
    all.addAll(keys(as, "--cafile", "--cert", "--key"));
    return run(all);
  }

  /** Its input stays open until it has been told so many words. */
  private String tcp(GalopNode node, String as, String lines, String until) throws Exception {
    List<String> all = new ArrayList<>(List.of("timeout", "100", "openssl", "s_client", "-quiet"));
    all.addAll(List.of("-connect", "localhost:" + port(node, "tcp")));
    all.addAll(keys(as, "-CAfile", "-cert", "-key"));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    try {
      process.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      StringBuilder said = new StringBuilder();
      int next = 0;
      while (next >= 0 && said.indexOf(until) < 0) {
        next = process.getInputStream().read();
        said.append((char) next);
      }
      return said.toString();
    } finally {
      process.destroy();
    }
  }

  private String bridge(GalopNode node, String as) {
    TestConsole console = new TestConsole();
    List<String> all = new ArrayList<>(List.of("publish", "pump/4", "{}"));
    all.addAll(List.of("--bridge", "tls://localhost:" + port(node, "bridge")));
    all.addAll(keys(as, "--ca", "--cert", "--key"));
    console.run(all.toArray(String[]::new));
    return console.out() + console.err();
  }

  @Test
  void aSubjectIsEnough() throws Exception {
    try (GalopNode node = start()) {
      assertTrue(curl(node, "pump", "pump/1").contains("\"accepted\":1"));
      String other = curl(node, "pump", "other");
      assertTrue(other.contains("topic_not_allowed") && other.contains("'seven'"), other);
      assertTrue(curl(node, "other", "pump/1").contains("token is missing or wrong"));
      String wrong = curl(node, "pump", "pump/1", "-H", "Authorization: Bearer x");
      assertTrue(wrong.contains("token is missing or wrong"), "a wrong token counts: " + wrong);

      assertTrue(mqtt(node, "pump", "pump/2").endsWith("exit 0"));
      assertFalse(mqtt(node, "pump", "other").endsWith("exit 0"));
      assertFalse(mqtt(node, "other", "pump/2").endsWith("exit 0"));

      String lines = LINE.formatted("pump/3") + LINE.formatted("other");
      String told = tcp(node, "pump", lines, "\"acked\":2");
      assertTrue(told.contains("\"acked\":2"), told);
      String stranger = "token is missing or wrong";
      assertTrue(tcp(node, "other", lines, stranger).contains(stranger));

      assertTrue(bridge(node, "pump").contains("acknowledged 1\n"));
      assertTrue(bridge(node, "other").contains(stranger));

      JsonObject seven = status(node).getJsonArray("publishers").getJsonObject(0);
      assertEquals("seven", seven.getString("name"));
      assertEquals(4, seven.getInteger("records"), seven.encode());
      assertEquals(3, seven.getInteger("rejected"), seven.encode());
    }
  }

  private static JsonObject status(GalopNode node) throws Exception {
    String url = "http://" + node.listeners().get("management") + "/status";
    return new JsonObject(run(List.of("curl", "-sS", url)).replaceAll("exit 0$", ""));
  }
}
