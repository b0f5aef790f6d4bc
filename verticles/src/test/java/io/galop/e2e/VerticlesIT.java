package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Stalls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar with a class of the user's own in a jar in lib beside it. */
@Timeout(180)
class VerticlesIT {
  private static final Path EXAMPLES = Path.of("scripts/verticles").toAbsolutePath();
  private static final Pattern HTTP = Pattern.compile("(?m)^listening http (\\S+)$");
  @TempDir Path directory;

  private Path install() throws IOException {
    Path jar = Path.of(System.getProperty("galop.jar", "target/galop.jar")).toAbsolutePath();
    Path copy = directory.resolve("galop.jar");
    try {
      return Files.createLink(copy, jar);
    } catch (IOException otherFileSystem) {
      return Files.copy(jar, copy);
    }
  }

  private void packInto(Path lib, Path jar, String source) throws IOException {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    String file = EXAMPLES.resolve(source + ".java").toString();
    String[] args = {"-cp", jar.toString(), "-d", classes.toString(), file};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, args));
    Files.createDirectories(lib);
    try (OutputStream out = Files.newOutputStream(lib.resolve("mine.jar"));
        JarOutputStream packed = new JarOutputStream(out)) {
      packed.putNextEntry(new JarEntry(source + ".class"));
      packed.write(Files.readAllBytes(classes.resolve(source + ".class")));
    }
  }

  private Process start(Path jar, String verticles) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", jar.toString(), "run", "--set", "verticles=" + verticles));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      command.addAll(List.of("--set", part + ".port=0"));
    }
    Path output = directory.resolve("output");
    return new ProcessBuilder(command)
        .directory(Files.createDirectories(directory.resolve("work")).toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve("output"));
  }

  private static boolean isComplaint(String line) {
    return line.contains("\tat ") || line.contains("WARN");
  }

  private String awaitHttp(Process node) throws Exception {
    while (!output().contains(" ready\n")) {
      assertTrue(node.isAlive(), output());
      Thread.sleep(50);
    }
    Matcher http = HTTP.matcher(output());
    assertTrue(http.find(), output());
    return http.group(1);
  }

  @Test
  void aClassInLibRunsUntilTheNodeEnds() throws Exception {
    Path jar = install();
    packInto(directory.resolve("lib"), jar, "Wave");
    Process node =
        start(jar, "[{name: 'java:Wave', settings: {topic: w/a, everyMs: 50, high: 3}}]");
    try {
      URI history = URI.create("http://" + awaitHttp(node) + "/history/w/a?order=asc");
      String seen = "";
      while (!seen.contains("\"value\":3")) {
        HttpRequest request = HttpRequest.newBuilder(history).build();
        seen = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        assertTrue(node.isAlive(), output());
        Thread.sleep(50);
      }
      node.destroy();
      assertTrue(node.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, node.exitValue(), output());
      assertFalse(Stalls.without(output()).lines().anyMatch(VerticlesIT::isComplaint), output());
    } finally {
      node.destroyForcibly();
    }
  }

  @Test
  void aClassThatIsNotThereStopsTheStartInOneSentence() throws Exception {
    Path jar = install();
    Process node = start(jar, "[{name: 'java:Wave'}, {name: 'rb:a.rb'}]");
    try {
      assertTrue(node.waitFor(60, TimeUnit.SECONDS));
      assertEquals(2, node.exitValue(), output());
      String[] lines = output().split("\n");
      assertEquals(2, lines.length, output());
      assertTrue(
          lines[0].startsWith("galop: verticles[0].name: there is no class Wave; "), output());
      assertTrue(lines[1].startsWith("galop: verticles[1].name: there is no language"), output());
    } finally {
      node.destroyForcibly();
    }
  }
}
