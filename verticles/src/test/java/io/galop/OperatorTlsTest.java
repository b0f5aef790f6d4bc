package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operators who show a client certificate, by curl and by galop. */
@Timeout(180)
class OperatorTlsTest {
  @TempDir Path directory;
  private TrialAuthority keys;

  @BeforeEach
  void sign() throws Exception {
    keys = TrialAuthority.in(directory.resolve("keys"));
    keys.sign(new Wanted("server", "localhost", List.of("localhost"), 0, 90));
    for (String name : List.of("anna", "bert", "carl")) {
      keys.sign(new Wanted(name, name, List.of(), 0, 90));
    }
  }

  private OperatedNode start() throws Exception {
    OperatedNode node = open();
    node.await("it is ready", () -> curl(node, "/health/ready", List.of()).equals("200"));
    return node;
  }

  private OperatedNode open() throws Exception {
    return OperatedNode.secured(
        directory,
        keys,
        "management.operators=[{name: a, role: operator, subject: 'cn=anna'}, {name: b, role:"
            + " viewer, subject: 'CN=bert'}, {name: t, role: operator, tokenHash: '%s'}]"
                .formatted(OperatedNode.sha256("of-t")));
  }

  private List<String> as(String name) {
    return List.of("--cert", keys.file(name + ".crt") + "", "--key", keys.file(name + ".key") + "");
  }

  /** What it answers, and its status at the end. */
  private String curl(OperatedNode node, String path, List<String> login, String... more)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("curl", "-sS", "-m", "30", "-w", "%{http_code}"));
    all.addAll(List.of("--cacert", keys.file("ca.crt").toString()));
    all.addAll(login);
    all.addAll(List.of(more));
    all.add(node.secure() + path);
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.substring(said.length() - 3);
  }

  @Test
  void certificatesLogIn() throws Exception {
    List<String> wrong = new ArrayList<>(as("anna"));
    wrong.addAll(List.of("-H", "Authorization: Bearer wrong"));
    try (OperatedNode node = start()) {
      assertEquals("200", curl(node, "/health/ready", List.of()));
      assertEquals("401", curl(node, "/status", List.of()));
      assertEquals("401", curl(node, "/status", as("carl")), "signed, but no operator");
      assertEquals("401", curl(node, "/drain", wrong, "-X", "POST"), "no second way in");
      assertEquals("200", curl(node, "/status", as("bert")));
      assertEquals("403", curl(node, "/drain", as("bert"), "-X", "POST"));
      String[] page = {"-X", "POST", "-H", "Origin: http://localhost"};
      assertEquals("403", curl(node, "/drain", as("anna"), page), "a page of another site");
      assertEquals("202", curl(node, "/drain", as("anna"), "-X", "POST"));
      assertEquals("202", curl(node, "/drain", List.of("-u", "t:of-t"), "-X", "POST"));
      String who = "%s by %s: %s";
      assertEquals(
          List.of(
              "b by certificate: refused",
              "a by certificate: refused",
              "a by certificate: begun",
              "a by certificate: done",
              "t by basic: begun",
              "t by basic: done"),
          node.audit("drain").stream()
              .map(OperatorTlsTest::words)
              .map(words -> who.formatted(words.toArray()))
              .toList());
    }
  }

  private static List<String> words(JsonObject line) {
    return List.of(line.getString("operator"), line.getString("login"), line.getString("outcome"));
  }

  private String galop(int code, OperatedNode node, List<String> login) {
    List<String> all = new ArrayList<>(List.of("status", "--interval-ms", "0"));
    all.addAll(List.of("--url", node.secure(), "--ca", keys.file("ca.crt").toString()));
    all.addAll(login);
    TestConsole console = new TestConsole();
    assertEquals(code, console.run(all.toArray(String[]::new)), console.err());
    return console.out() + console.err();
  }

  @Test
  void commandsShowACertificate() throws Exception {
    try (OperatedNode node = start()) {
      assertTrue(galop(0, node, as("bert")).contains(" is ready"));
      String none = galop(1, node, List.of());
      assertTrue(none.contains("wants an operator's login: give --operator-token-file"), none);
    }
  }
}
