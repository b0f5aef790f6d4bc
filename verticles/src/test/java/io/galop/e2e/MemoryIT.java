package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody keeps more than the node has memory for. */
@Tag("alone")
@Timeout(240)
class MemoryIT {
  private static final int HEAP_MB = 256;
  @TempDir Path directory;

  private GalopProcess node(String name, String program, String configuration) throws Exception {
    Files.writeString(directory.resolve(name), program);
    Path config = directory.resolve("galop.yaml");
    Files.writeString(config, configuration.formatted(directory));
    return GalopProcess.run(
        directory.resolve("data"),
        List.of("-Xmx" + HEAP_MB + "m"),
        List.of("--config", config.toString()));
  }

  private static JsonObject get(GalopProcess node, String path) throws Exception {
    URI uri = URI.create("http://" + node.address("management") + path);
    return new JsonObject(
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
            .body());
  }

  /** Of 1 MB that the script keeps for each of them, three times the heap. */
  @Test
  void aScriptThatKeepsTooMuchBeginsAnewAndTheNodeGoesOn() throws Exception {
    String program =
        """
        const kept = []
        function enrich(record) {
          kept.push(new Float64Array(131072))
          return record
        }
        """;
    String configuration =
        """
        enrich:
          directory: '%s'
          chain:
            - script: {file: keeps.js, topics: ["kept/#"], breaker: {hits: 100}}
        """;
    try (GalopProcess node = node("keeps.js", program, configuration)) {
      int sent = 3 * HEAP_MB;
      for (int at = 0; at < sent; at += 32) {
        String lines =
            IntStream.range(at, at + 32)
                .mapToObj(
                    i -> "{\"topic\":\"%s/%d\",\"data\":{\"n\":%d}}".formatted("%s", i % 8, i))
                .flatMap(line -> List.of(line.formatted("kept"), line.formatted("free")).stream())
                .collect(Collectors.joining("\n"));
        var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines);
        assertEquals(202, answer.statusCode(), answer.body());
      }
      assertTrue(node.isAlive());
      assertFalse(node.text().contains("OutOfMemoryError"), node.text());
      assertTrue(node.text().contains("was reloaded on one event loop"), node.text());
      JsonObject ready = get(node, "/health/ready");
      assertTrue(ready.getBoolean("ready"), ready.encode());
      assertTrue(
          ready.getJsonObject("warnings").getString("script keeps memory").contains("keeps.js"));
    }
  }

  @Test
  void aNodeWhoseMemoryIsGoneEndsAndSaysSo() throws Exception {
    String program =
        """
        const kept = []
        function start() {
          galop.every(5, () => { kept.push(new Float64Array(131072)) })
        }
        """;
    String configuration =
        """
        verticles:
          - name: 'js:%s/keeps.js'
        """;
    try (GalopProcess node = node("keeps.js", program, configuration)) {
      assertEquals(3, node.awaitExit(120), node.text());
      assertTrue(node.text().contains("galop: OUT OF MEMORY: "), node.text());
    }
  }
}
