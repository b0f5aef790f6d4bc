package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Stalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The packed jar with and without the packed add-ons. */
@Timeout(300)
class AddOnsIT {
  private static final Path ROOT = Path.of(System.getProperty("galop.root", "../.."));
  private static final boolean LONG = Boolean.getBoolean("galop.long");
  private static final Pattern HTTP = Pattern.compile("(?m)^listening http (\\S+)$");
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

  private void add(String language) throws IOException {
    String name = "galop-" + language + ".jar";
    link(
        ROOT.resolve("addons/" + language + "/target/" + name),
        directory.resolve("lib").resolve(name));
  }

  private Process start(Path output, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", directory.resolve("galop.jar").toString()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private String run(int code, String... args) throws Exception {
    Path output = directory.resolve("output");
    Process process = start(output, args);
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> read(output));
    assertEquals(code, process.exitValue(), () -> read(output));
    return read(output);
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"python, py", "groovy, groovy", "kotlin, kts"})
  void aLanguageIsThereWhenItsJarIs(String language, String suffix) throws Exception {
    String script = "betfair." + suffix;
    String missing = run(1, "script", "test", script);
    assertTrue(missing.contains("'./galop add " + language + "'"), missing);
    add(language);
    String tested = run(0, "script", "test", script);
    assertTrue(
        tested.matches("(?s).*" + Pattern.quote(script) + ": [1-9]\\d* passed, 0 failed\\s*"),
        tested);
  }

  private String awaitHttp(Process node, Path output) throws InterruptedException {
    while (!read(output).contains(" ready\n")) {
      assertTrue(node.isAlive(), () -> read(output));
      Thread.sleep(50);
    }
    Matcher http = HTTP.matcher(read(output));
    assertTrue(http.find(), () -> read(output));
    return http.group(1);
  }

  private Process node(Path output, String verticles) throws IOException {
    List<String> args = new ArrayList<>(List.of("run", "--set", "verticles=" + verticles));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      args.addAll(List.of("--set", part + ".port=0"));
    }
    return start(output, args.toArray(String[]::new));
  }

  /** One language, which is quick; all of them with {@code -Dgalop.long}, which takes a minute. */
  static Stream<Arguments> verticles() {
    Arguments groovy = Arguments.of("groovy", "groovy:verticles/wave.groovy");
    Arguments python = Arguments.of("python", "py:verticles/wave.py");
    Arguments kotlin = Arguments.of("kotlin", "kt:verticles/wave.kts");
    return LONG ? Stream.of(groovy, python, kotlin) : Stream.of(groovy);
  }

  @ParameterizedTest
  @MethodSource("verticles")
  void aVerticleRunsFromTheJarOfItsLanguageUntilTheNodeEnds(String language, String name)
      throws Exception {
    add(language);
    String verticle =
        "{name: '%s', settings: {topic: wave/a, everyMs: 50, high: 3}}".formatted(name);
    Path output = directory.resolve("output");
    Process node = node(output, "[" + verticle + "]");
    try {
      URI history = URI.create("http://" + awaitHttp(node, output) + "/history/wave/a");
      String seen = "";
      while (!seen.contains("\"value\":3")) {
        HttpRequest request = HttpRequest.newBuilder(history).build();
        seen = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        assertTrue(node.isAlive(), () -> read(output));
        Thread.sleep(50);
      }
      node.destroy();
      assertTrue(node.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, node.exitValue(), () -> read(output));
      String log = Stalls.without(read(output));
      assertFalse(log.contains("WARN") || log.contains("\tat "), log);
    } finally {
      node.destroyForcibly();
    }
  }
}
