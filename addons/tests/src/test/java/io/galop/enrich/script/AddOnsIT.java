package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packed jar with and without the packed add-ons. */
@Timeout(300)
class AddOnsIT {
  private static final Path ROOT = Path.of(System.getProperty("galop.root", "../.."));
  @TempDir Path directory;

  @BeforeEach
  void install() throws IOException {
    link(ROOT.resolve("verticles/target/galop.jar"), directory.resolve("galop.jar"));
    Files.createDirectory(directory.resolve("lib"));
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (IOException | UnsupportedOperationException e) {
      Files.copy(from, to);
    }
  }

  private String run(int code, String... args) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar"));
    command.add(directory.resolve("galop.jar").toString());
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    assertEquals(code, process.exitValue(), out);
    return out;
  }

  @ParameterizedTest
  @CsvSource({"python, py", "groovy, groovy", "kotlin, kts"})
  void aLanguageIsThereWhenItsJarIs(String language, String suffix) throws Exception {
    String script = "betfair." + suffix;
    String missing = run(1, "script", "test", script);
    assertTrue(missing.contains("'./galop add " + language + "'"), missing);
    String name = "galop-" + language + ".jar";
    link(
        ROOT.resolve("addons/" + language + "/target/" + name),
        directory.resolve("lib").resolve(name));
    String tested = run(0, "script", "test", script);
    assertTrue(tested.contains(script + ": 9 passed, 0 failed"), tested);
  }
}
