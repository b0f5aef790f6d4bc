package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.config.ConfigLoader;
import io.galop.e2e.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real clients and every listener with TLS. */
@Tag("slow")
@Timeout(180)
class TlsTest {
  /** Its library is for Linux; where the one for a processor is missing this fails. */
  private static final String PROVIDER =
      System.getProperty("os.name").equals("Linux") ? "BoringSSL" : "the JDK";

  private static final List<String> SECTIONS =
      List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge");
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1");
  @TempDir static Path keys;
  @TempDir Path directory;
  private static TrialAuthority ours;
  private static TrialAuthority theirs;

  @BeforeAll
  static void sign() throws Exception {
    ours = TrialAuthority.in(keys.resolve("ours"));
    ours.sign(new Wanted("server", "localhost", LOCAL, 0, 90));
    ours.sign(new Wanted("client", "pump 7", List.of(), 0, 90));
    ours.sign(new Wanted("late", "pump 8", List.of(), -30, 10));
    theirs = TrialAuthority.in(keys.resolve("theirs"));
    theirs.sign(new Wanted("client", "pump 7", List.of(), 0, 90));
  }

  private static List<String> tls(String section) {
    return List.of(
        section + ".tls.certificate=" + ours.file("server.crt"),
        section + ".tls.key=" + ours.file("server.key"));
  }

  private GalopNode start(String... more) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String section : SECTIONS) {
      sets.add(section + ".port=0");
      sets.addAll(tls(section));
    }
    sets.addAll(List.of(more));
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private static String run(String input, String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
    } catch (IOException gone) {
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said + "\nexit " + process.waitFor();
  }

  private static String curl(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("curl", "-sS", "-m", "20"));
    all.addAll(List.of("--cacert", ours.file("ca.crt").toString()));
    all.addAll(List.of(arguments));
    return run("", all.toArray(String[]::new));
  }

  /** Ends when the other side closes, or after some time. */
  private static String greet(String address, String input, String... flags) throws Exception {
    List<String> all = new ArrayList<>(List.of("timeout", "4", "openssl", "s_client"));
    all.addAll(List.of("-connect", address, "-CAfile", ours.file("ca.crt").toString()));
    all.addAll(List.of(flags));
    return run(input, all.toArray(String[]::new));
  }

  private static String port(GalopNode node, String listener) {
    String address = node.listeners().get(listener);
    return address.substring(address.lastIndexOf(':') + 1);
  }

  private static String[] as(TrialAuthority whose, String name) {
    return new String[] {
      "--cert", whose.file(name + ".crt").toString(), "--key", whose.file(name + ".key").toString()
    };
  }

  private static String[] both(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void everyListenerSpeaksTls() throws Exception {
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node = start()) {
      assertEquals(
          Optional.of("https://127.0.0.1:" + port(node, "http") + "/"), node.page(), "the page");
      String http = "https://localhost:" + port(node, "http");
      String published =
          curl("-d", "{\"n\":1}", "-H", "Content-Type: application/json", http + "/publish/a");
      assertTrue(published.contains("\"accepted\":1"), published);
      String page = curl("-o", "/dev/null", "-w", "%{http_code}", http + "/live");
      assertTrue(page.startsWith("200"), page);
      // Files go another way than answers: in pieces.
      assertTrue(curl(http + "/").contains("</html>"), "the page is whole");
      String mqtt =
          run(
              "",
              ("mosquitto_pub -h localhost -p %s --cafile %s -q 1 -t b -m 2")
                  .formatted(port(node, "mqtt"), ours.file("ca.crt"))
                  .split(" "));
      assertTrue(mqtt.endsWith("exit 0"), mqtt);
      String line = "{\"topic\":\"c\",\"data\":{\"n\":3}}\n";
      String tcp = greet("localhost:" + port(node, "tcp"), line, "-quiet");
      assertTrue(tcp.contains("{\"acked\":1}"), tcp);
      String status = curl("https://localhost:" + port(node, "management") + "/status");
      assertTrue(status.contains("\"listener\":\"mqtt\",\"certificate\":\"CN=localhost\""), status);
      String history = curl("-H", "Accept: application/x-ndjson", http + "/history/%23");
      for (String topic : List.of("a", "b", "c")) {
        assertTrue(history.contains("\"topic\":\"" + topic + "\""), history);
      }
      String bridge = greet("localhost:" + port(node, "bridge"), "");
      assertTrue(bridge.contains("Verify return code: 0 (ok)"), bridge);
      for (String name : List.of("http", "management", "tcp", "mqtt", "bridge")) {
        String listens = log.with(name + " listens on ").toString();
        assertTrue(listens.contains(" with TLS 1.3 and 1.2 by " + PROVIDER), listens);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.2, -tls1, no version",
    "1.2, -tls1_1, no version",
    "1.3, -tls1_2, no version",
    "1.2, -tls1_2 -cipher AES128-SHA, no cipher",
    "1.2, -tls1_2 -cipher AES128-GCM-SHA256, no cipher",
    "1.2, -tls1_2 -cipher ECDHE-ECDSA-AES128-SHA, no cipher",
  })
  void weakOnesAreRefused(String least, String flags, String why) throws Exception {
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node = start("http.tls.minVersion=" + least)) {
      String address = "localhost:" + port(node, "http");
      String refused = greet(address, "", both(flags.split(" "), "-cipher", cipher(flags)));
      assertTrue(refused.contains("Cipher is (NONE)"), refused);
      String said = "http: closed ";
      assertTrue(log.with(said).toString().contains(why), log.with("")::toString);
      String taken = greet(address, "", least.equals("1.2") ? "-tls1_2" : "-tls1_3");
      assertTrue(taken.contains("Verify return code: 0 (ok)"), taken);
    }
  }

  /** OpenSSL itself does not offer the old ones unless it is told to. */
  private static String cipher(String flags) {
    return flags.contains("-cipher")
        ? flags.substring(flags.lastIndexOf(' ') + 1) + ":@SECLEVEL=0"
        : "ALL:@SECLEVEL=0";
  }

  @Test
  void clearTextIsRefused() throws Exception {
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node = start()) {
      String answer = curl("http://localhost:" + port(node, "http") + "/");
      assertTrue(!answer.endsWith("exit 0"), answer);
      assertTrue(!log.with("it does not speak TLS").isEmpty(), log.with("")::toString);
    }
  }

  @Test
  void clientsShowCertificates() throws Exception {
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node = start("http.tls.clientCa=" + ours.file("ca.crt"))) {
      String http = "https://localhost:" + port(node, "http") + "/live";
      String good = curl(both(as(ours, "client"), "-w", "%{http_code}", "-o", "/dev/null", http));
      assertTrue(good.startsWith("200"), good);
      assertTrue(
          log.with("http listens on ").toString().contains(" by the JDK"), "any kind of key");
      refused(log, curl(http), "it has shown no certificate");
      refused(log, curl(both(as(theirs, "client"), http)), "of an authority that is not in");
      refused(log, curl(both(as(ours, "late"), http)), "its certificate is out of date");
    }
  }

  private static void refused(Logged log, String answer, String why) {
    assertTrue(!answer.endsWith("exit 0"), answer);
    assertTrue(!log.with(why).isEmpty(), log.with("")::toString);
  }

  /** In TLS 1.3 its word comes before it has keys, and is named by what it looks like. */
  @ParameterizedTest
  @CsvSource({"BoringSSL, 1.2", "BoringSSL, 1.3", "the JDK, 1.2", "the JDK, 1.3"})
  void aClientThatTrustsAnotherAuthorityIsNamed(String provider, String version) throws Exception {
    String clientCa = "http.tls.clientCa=" + ours.file("ca.crt");
    String[] asking = {clientCa, "http.tls.clientCertificate=optional"};
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node = provider.equals("the JDK") ? start(asking) : start()) {
      String http = "https://localhost:" + port(node, "http") + "/live";
      String[] only = {"--tlsv" + version, "--tls-max", version};
      String answer = curl(both(only, "--cacert", theirs.file("ca.crt").toString(), http));
      assertTrue(!answer.endsWith("exit 0"), answer);
      Await.until("the client is named", 30, () -> !log.with("http: closed ").isEmpty());
      String named = log.with("http: closed ").toString();
      assertTrue(named.contains("not accept this listener's certificate"), named);
      assertTrue(log.with("http listens on ").toString().contains(" by " + provider), provider);
    }
  }

  @Test
  void clientsMayDoWithout() throws Exception {
    try (Logged log = new Logged("io.galop.socket");
        GalopNode node =
            start(
                "http.tls.clientCa=" + ours.file("ca.crt"),
                "http.tls.clientCertificate=optional")) {
      String http = "https://localhost:" + port(node, "http") + "/live";
      String without = curl("-w", "%{http_code}", "-o", "/dev/null", http);
      assertTrue(without.startsWith("200"), without);
      refused(log, curl(both(as(theirs, "client"), http)), "of an authority that is not in");
    }
  }

  private record Said(int code, String out, String err) {}

  private static Said galop(String... arguments) {
    TestConsole console = new TestConsole();
    int code = console.run(arguments);
    return new Said(code, console.out(), console.err());
  }

  private static Said trusting(String... arguments) {
    return galop(both(arguments, "--ca", ours.file("ca.crt").toString()));
  }

  @Test
  void commandsReachEveryListener() throws Exception {
    Path file = Files.writeString(directory.resolve("day.jsonl"), "{\"n\":1}\n{\"n\":2}\n");
    try (GalopNode node = start("ingest.tcp.tls.clientCa=" + ours.file("ca.crt"))) {
      String http = "https://localhost:" + port(node, "http");
      String bridge = "tls://localhost:" + port(node, "bridge");
      String tcp = "tls://localhost:" + port(node, "tcp");
      Said published = trusting("publish", "x/1", "{\"n\":0}", "--bridge", bridge);
      assertEquals("acknowledged 1\n", published.out(), published.err());
      String[] replay = {"replay", file.toString(), "--topic", "x/2", "--speed", "max"};
      String[] door = both(replay, "--no-resume", "--retry-seconds", "2", "--to", tcp);
      assertEquals(0, trusting(both(door, as(ours, "client"))).code());
      Said history = trusting("history", "x/#", "--url", http);
      assertEquals(3, history.out().lines().count(), history.err());
      Said seen = trusting("subscribe", "x/#", "--snapshot", "--count", "2", "--url", http);
      assertEquals(2, seen.out().lines().count(), seen.err());
      String management = "https://localhost:" + port(node, "management");
      Said status = trusting("status", "--url", management, "--interval-ms", "0");
      assertTrue(status.out().contains("mqtt: certificate of CN=localhost"), status.err());
      String untrusted = "its certificate is of an authority that is not trusted; see --ca";
      refused(galop("history", "x/#", "--url", http), untrusted);
      refused(galop("subscribe", "x/#", "--url", http), untrusted);
      refused(galop("publish", "x/1", "{}", "--bridge", bridge), untrusted);
      refused(galop(both(door)), untrusted);
      String certificate = ours.file("client.crt").toString();
      Said alone = trusting("status", "--url", management, "--cert", certificate);
      assertEquals(2, alone.code(), alone.err());
    }
  }

  @Test
  void aCertificateForAnotherHostIsNotTaken() throws Exception {
    ours.sign(new Wanted("elsewhere", "feed.example", List.of("feed.example"), 0, 90));
    try (GalopNode node =
        start(
            "management.tls.certificate=" + ours.file("elsewhere.crt"),
            "management.tls.key=" + ours.file("elsewhere.key"))) {
      String management = "https://localhost:" + port(node, "management");
      refused(trusting("status", "--url", management), "its certificate is for another host; give");
    }
  }

  private static void refused(Said said, String why) {
    assertEquals(1, said.code(), said.err());
    assertTrue(said.err().contains(why), said.err());
  }

  @Test
  void theHeaderOfAProxyComesBeforeTls() throws Exception {
    try (GalopNode node = start("http.proxyProtocol=true", "http.trustedProxies=[127.0.0.1]")) {
      String http = "https://localhost:" + port(node, "http") + "/live";
      String code = curl("--haproxy-protocol", "-w", "%{http_code}", "-o", "/dev/null", http);
      assertTrue(code.startsWith("200"), code);
    }
  }
}
