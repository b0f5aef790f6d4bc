package io.galop.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines in other countries, and those that no country was set for. */
@Timeout(180)
class LocaleIT {
  /** With an ä in UTF-8; it is made by a shell since this JVM may have no ä to give. */
  private static final String ACCENTED = "b$(printf '\\303\\244')r/b";

  @TempDir Path directory;

  private static String get(URI uri) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString(UTF_8)).body();
  }

  private static String publish(GalopProcess node, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.http("/publish"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body, UTF_8))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  /** In Arabic digits are others, in Turkish the small I, in Thai the year. */
  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "tr-TR", "th-TH"})
  void aNodeSpeaksTheSameInEveryCountry(String locale) throws Exception {
    String[] parts = locale.split("-");
    List<String> jvm = List.of("-Duser.language=" + parts[0], "-Duser.country=" + parts[1]);
    List<String> steps = List.of("--set", "enrich.chain=[{calculate: {field: INCH}}]");
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), jvm, steps)) {
      String record = "{\"id\":\"1\",\"topic\":\"a/x\",\"data\":{\"INCH\":1234.5}}";
      assertEquals("{\"accepted\":1,\"rejected\":[]}", publish(node, record));
      JsonArray history = new JsonArray(get(node.http("/history/a/x")));
      assertEquals(1234.5, history.getJsonObject(0).getJsonObject("data").getValue("INCH"));
      String rows = get(node.http("/history/a/x?every=1h&fields=INCH&agg=count,avg&format=csv"));
      assertTrue(rows.endsWith(",1234.5,1\r\n"), rows);
      for (String path : List.of("/status", "/metrics", "/headroom", "/ledger", "/explain/1")) {
        String said = get(node.management(path));
        assertTrue(said.chars().allMatch(c -> c < 128), path + " says " + said);
      }
      String log = node.text();
      assertTrue(log.chars().allMatch(c -> c < 128), log);
    }
  }

  private record Ended(int code, String out, String err) {}

  /** A command in the locale of a service that was given none. */
  private static Ended inC(String arguments) throws Exception {
    String jar = GalopProcess.jar("galop.jar").toAbsolutePath().toString();
    String line = "exec '%s' -jar '%s' %s".formatted(GalopProcess.java(), jar, arguments);
    ProcessBuilder command = new ProcessBuilder("sh", "-c", line);
    command.environment().put("LC_ALL", "C");
    Process process = command.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), out, err);
  }

  @Test
  void whatTheLocaleDoesNotHaveIsNeitherPublishedNorPrintedAsSomethingElse() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), List.of())) {
      String bridge = " --bridge " + node.address("bridge");
      Ended refused = inC("publish \"" + ACCENTED + "\" '{\"x\":1}'" + bridge);
      assertEquals(2, refused.code(), refused.err());
      String said = "has characters that the locale's encoding, \\S+, does not have";
      assertTrue(refused.err().startsWith("galop: argument 2, "), refused.err());
      String whole = "(?s).*" + said + "; start galop with LC_ALL=C\\.UTF-8\\s*";
      assertTrue(refused.err().matches(whole), refused.err());
      assertEquals("[]", get(node.http("/history/%23")));
      publish(node, "{\"id\":\"1\",\"topic\":\"b\u00e4r/b\",\"data\":{\"x\":\"\u20ac\"}}");
      Ended seen = inC("subscribe '#' --snapshot --count 1 --url " + node.http(""));
      assertEquals(0, seen.code(), seen.err());
      JsonObject record = new JsonObject(seen.out());
      assertEquals("b\u00e4r/b", record.getString("topic"));
      assertEquals("\u20ac", record.getJsonObject("data").getString("x"));
    }
  }

  @Test
  void aPathThatTheLocaleDoesNotHaveIsNamed() throws Exception {
    String path = "\"" + directory + "/d$(printf '\\303\\244')\"";
    Ended refused = inC("check --set node.dataDir=" + path);
    assertEquals(2, refused.code(), refused.err());
    assertTrue(refused.err().startsWith("galop: argument 3, "), refused.err());
    String file = "\"$(printf 'node: {dataDir: d\\303\\244}' > '%1$s/c.yaml')%1$s/c.yaml\"";
    refused = inC("check " + file.formatted(directory));
    assertEquals(2, refused.code(), refused.err());
    assertTrue(
        refused.err().startsWith("galop: node.dataDir: the path 'd\u00e4' has"), refused.err());
  }
}
