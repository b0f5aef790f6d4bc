package io.galop.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page's scripts are such that a browser of the age of IE8 can parse them. */
@Timeout(180)
class Es3GateTest {
  private static final Path SCRIPTS = Path.of("src/test/node");

  @Test
  void pageIsEs3() throws Exception {
    assertTrue(Files.exists(Webroot.DIRECTORY.resolve("galop.js")), "the page is not where it was");
    assertEquals(List.of(), gate(Webroot.DIRECTORY, Webroot.DIRECTORY.resolve("vendor")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "var a = {b: 1,};                        | is not ES3",
        "feed.catch(f);                          | is not ES3",
        "var a = {default: 1};                   | is not ES3",
        "let a = 1;                              | is not ES3",
        "var f = () => 1;                        | is not ES3",
        "var a = {get b() { return 1; }};        | is not ES3",
        "var a = [1, 2, ];                       | trailing comma in an array",
        "list.forEach(f);                        | .forEach() came after ES3",
        "var t = Date.now();                     | Date.now came after ES3",
        "var m = new Map();                      | Map came after ES3",
        "e.addEventListener('x', f, false);      | .addEventListener belongs into dom.js",
        "e.textContent = t;                      | .textContent belongs into dom.js",
        "e.innerHTML = t;                        | .innerHTML would make HTML of text",
        "eval(t);                                | makes code from text",
      })
  void namesWhatOldBrowsersCannotRun(String script, String problem, @TempDir Path directory)
      throws Exception {
    Files.writeString(directory.resolve("bad.js"), "var ok = 1;\n" + script + "\n");
    List<String> problems = gate(directory);
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.get(0).startsWith("bad.js:2 " + problem), problems::toString);
  }

  @Test
  void namesFilesAndFunctionsThatGrow(@TempDir Path directory) throws Exception {
    String body = "  a = 1;\n".repeat(400);
    Files.writeString(directory.resolve("long.js"), "var a;\nfunction f() {\n" + body + "}\n");
    assertEquals(
        List.of(
            "long.js:403 the file has 403 lines, 400 at most",
            "long.js:2 the function has 402 lines, 40 at most"),
        gate(directory));
  }

  private static List<String> gate(Path... directories) throws IOException, InterruptedException {
    assumeTrue(
        Files.exists(SCRIPTS.resolve("node_modules/acorn")),
        "the parser is not installed: npm ci --prefix verticles/src/test/node");
    List<String> command = new ArrayList<>(List.of("node", "es3-gate.js"));
    for (Path directory : directories) {
      command.add(directory.toAbsolutePath().toString());
    }
    Process process =
        new ProcessBuilder(command).directory(SCRIPTS.toFile()).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), lines::toString);
    return lines;
  }
}
