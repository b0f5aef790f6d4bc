package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.galop.cli.Version;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CliTest {
  private final TestConsole console = new TestConsole();

  @Command(name = "explode")
  static final class Explode implements Runnable {
    @Override
    public void run() {
      throw new IllegalStateException("the boiler");
    }
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    assertEquals(2, console.run("gallop"));
    assertTrue(console.err().contains("'gallop'"), console.err());
  }

  /** The list has the first line of each, and no other. */
  @Test
  void theListOfCommandsHasWholeSentences() {
    assertWholeSentences(Cli.commandLine(console.console(), config -> List.of()));
  }

  private static void assertWholeSentences(CommandLine line) {
    for (CommandLine command : line.getSubcommands().values()) {
      String first = command.getCommandSpec().usageMessage().description()[0];
      assertTrue(first.endsWith("."), first);
      assertWholeSentences(command);
    }
  }

  @Test
  void noCommandIsWrongUsage() {
    assertEquals(2, console.run());
    assertTrue(console.err().contains("which command?"), console.err());
  }

  @Test
  void aFailureNobodyForesawIsToldWithoutAStackTrace() {
    assertEquals(
        1,
        Cli.commandLine(console.console(), config -> List.of(), new Explode()).execute("explode"));
    assertTrue(console.err().contains("the boiler"), console.err());
    assertFalse(console.err().contains("\tat "), console.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"publish", "subscribe", "history", "status", "replay", "dead-letter"})
  void helpSaysHowToReachANodeElsewhere(String command) {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    CommandLine line =
        Cli.commandLine(console.console(), config -> List.of()).setOut(new PrintWriter(help, true));
    assertEquals(0, line.execute(command, "--help"));
    assertTrue(help.toString().matches("(?s).*(node elsewhere|from elsewhere).*"), help.toString());
  }

  @Test
  void versionNamesTheJdk() {
    assertTrue(new Version().getVersion()[0].contains(System.getProperty("java.version")));
  }

  @Test
  void checkSaysOkInOneLine(@TempDir Path dir) throws Exception {
    Path file =
        Files.writeString(dir.resolve("galop.yaml"), "node: {roles: [persist, ingest, enrich]}\n");
    assertEquals(
        0, console.run("check", file.toString(), "--set", "http.port=8123"), console.err());
    assertEquals(
        List.of("OK: roles persist, ingest, enrich; alone; browsers at 127.0.0.1:8123"),
        console.outLines());
  }

  /** As a torn write, a full disk or a failed template leaves it. */
  @ParameterizedTest
  @ValueSource(strings = {"", " \n\n", "# nothing\n", "---\n"})
  void aFileThatSaysNothingIsRefused(String nothing, @TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("node.yaml"), nothing);
    String noData = "node.dataDir=" + file; // no node that starts all the same goes far with it
    for (List<String> command :
        List.of(
            List.of("run", "--set", noData, "--config", file.toString()),
            List.of("demo", "--set", noData, "--config", file.toString()),
            List.of("check", file.toString()),
            List.of("check", "--show", "--config", file.toString()))) {
      TestConsole refused = new TestConsole();
      assertEquals(
          2, refused.runWith(Galop::commands, command.toArray(String[]::new)), refused.out());
      assertTrue(refused.err().contains("node.yaml: is empty"), refused.err());
      assertTrue(refused.err().contains("write {} into it"), refused.err());
      assertEquals("", refused.out());
    }
    Files.writeString(file, "{}\n");
    assertEquals(0, console.run("check", file.toString()), console.err());
  }

  /** As {@code run} takes it: the same line, with another word. */
  @Test
  void checkTakesTheFileAsRunDoes(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("galop.yaml"), "http: {port: 8123}\n");
    assertEquals(0, console.run("check", "--config", file.toString()), console.err());
    assertTrue(console.out().contains("browsers at 127.0.0.1:8123"), console.out());
    assertEquals(2, console.run("check", "--config=" + file, file.toString()));
    assertTrue(console.err().contains("FILE or --config FILE, not both"), console.err());
    assertEquals(2, console.run("check", "--config=" + dir.resolve("none.yaml")));
    assertTrue(console.err().contains("none.yaml"), console.err());
  }

  @Test
  void checkListsEveryProblem(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("galop.yaml"), "http: {prt: 1, port: 70000}\n");
    assertEquals(2, console.run("check", file.toString()));
    assertTrue(console.err().contains("http.prt"), console.err());
    assertTrue(console.err().contains("http.port"), console.err());
    assertEquals("", console.out());
  }

  @Test
  void checkShowsTheConfigurationWithoutSecrets() {
    assertEquals(0, console.run("check", "--show", "--set", "ingest.token=open-sesame"));
    assertTrue(console.out().contains("port: 8080"), console.out());
    assertFalse(console.out().contains("open-sesame"), console.out());
  }
}
