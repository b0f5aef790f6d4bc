package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The management port of the packed jar off loopback: refused without operators, and with one. */
@Timeout(240)
class OperatorsIT {
  /** Of the token {@code abc}; from FIPS 180. */
  private static final String HASH =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path directory;

  @Test
  void offLoopbackSomebodyMustBeNamed() throws Exception {
    Cli.Ended ended =
        Cli.run("run", "--set", "management.host=0.0.0.0", "--set", "management.insecure=true");
    assertEquals(2, ended.code(), ended.text());
    String sentence =
        "management.operators names nobody: give an operator with a tokenHash or a certificate's"
            + " subject, or management.anonymous: true";
    assertTrue(ended.text().contains(sentence), ended.text());
  }

  private static String drain(GalopProcess node, String token) throws Exception {
    String url = "http://127.0.0.1:" + node.address("management").replaceFirst(".*:", "");
    ProcessBuilder galop =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            GalopProcess.jar("galop.jar").toString(),
            "drain",
            "--url",
            url);
    galop.environment().put("GALOP_OPERATOR_TOKEN", token);
    Process process = galop.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + said;
  }

  @Test
  void anOperatorDrainsANodeAndASignalStopsIt() throws Exception {
    List<String> args =
        List.of(
            "--set", "management.host=0.0.0.0",
            "--set", "management.insecure=true",
            "--set",
                "management.operators=[{name: anna, role: operator, tokenHash: '" + HASH + "'}]");
    try (GalopProcess node = GalopProcess.run(directory, List.of(), args)) {
      String unknown = drain(node, "abd");
      assertTrue(unknown.startsWith("1 ") && unknown.contains("does not know this one"), unknown);
      assertEquals("0 viewers are sent to other nodes", drain(node, "abc").strip());
      node.terminate();
      assertEquals(0, node.awaitExit(60), node.text());
    }
    List<String> lines = Files.readAllLines(directory.resolve("audit.log"));
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(lines.get(1).contains("\"operator\":\"anna\""), lines.get(1));
    assertTrue(lines.get(1).contains("\"outcome\":\"done\""), lines.get(1));
    assertTrue(lines.get(2).contains("\"action\":\"stop\""), lines.get(2));
  }
}
