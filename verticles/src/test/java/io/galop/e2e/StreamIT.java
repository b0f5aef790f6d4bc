package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.galop.servers.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What others have to watch a stream with: the EventSource of a browser, and curl. Their node is
 * killed under them, and starts again.
 */
@Timeout(180)
class StreamIT {
  private static final int AT_ONCE = 100;
  private static final String WATCH =
      """
      () => {
        window.got = [];
        window.told = [];
        window.source = new EventSource("/stream/a/%23");
        source.onmessage = (event) => {
          const message = JSON.parse(event.data);
          if (message.type === "rec") got.push(message.body.id); else told.push(message);
        };
      }
      """;

  @TempDir Path directory;
  private final int port = Ports.free();
  private final List<String> published = new ArrayList<>();

  private GalopProcess start() {
    List<String> args = List.of("--set", "http.port=" + port);
    return GalopProcess.run(directory.resolve("data"), List.of(), args);
  }

  private String address(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  private void publish() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < AT_ONCE; i++) {
      String id = "r" + published.size();
      published.add(id);
      lines.append(
          new JsonObject()
              .put("topic", "a/" + i % 10)
              .put("id", id)
              .put("data", new JsonObject().put("n", i))
              .encode());
      lines.append('\n');
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address("/publish")))
            .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
            .build();
    assertEquals(
        202, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
  }

  private static List<String> ids(Page page) {
    String got = page.evaluate("() => JSON.stringify(got)").toString();
    return new JsonArray(got).stream().map(String::valueOf).toList();
  }

  private void awaitAll(Page page) {
    Await.until("the page has all", 120, () -> new HashSet<>(ids(page)).containsAll(published));
  }

  /** It comes back by itself, with the last id that it was told. */
  @Test
  void anEventSourceMissesNothingThatIsPublishedWhileItsNodeIsDead() throws Exception {
    GalopProcess node = start();
    try (Chromium chromium = Chromium.open()) {
      Page page = chromium.page(address("/live"));
      page.evaluate(WATCH);
      Await.until("it is live", 120, () -> told(page).contains("live"));
      publish();
      awaitAll(page);
      node.kill();
      node = start();
      publish();
      awaitAll(page);
      publish();
      awaitAll(page);
      assertEquals(published.size(), ids(page).size(), "each record once");
      Await.until("it is live again", 120, () -> Collections.frequency(told(page), "live") == 2);
      assertTrue(told(page).contains("resumed"), () -> "told " + told(page));
      String told = page.evaluate("() => JSON.stringify(window.told)").toString();
      assertTrue(!told.contains("\"complete\":false"), told);
    } finally {
      node.close();
    }
  }

  private static List<String> told(Page page) {
    String words = page.evaluate("() => JSON.stringify(told.map((one) => one.type))").toString();
    return new JsonArray(words).stream().map(String::valueOf).toList();
  }

  /** A program keeps the Positions itself. */
  @Test
  void curlGoesOnWhereItWas() throws Exception {
    GalopProcess node = start();
    try {
      Curl first = new Curl("?since=");
      first.await("live");
      publish();
      Await.until("curl has all", 120, () -> first.ids().containsAll(published));
      node.kill();
      assertTrue(first.process.waitFor(20, TimeUnit.SECONDS), "curl ends with its node");
      List<String> before = List.copyOf(published);
      node = start();
      publish();
      Curl second = new Curl("?since=" + first.positions());
      List<String> missed = published.subList(before.size(), published.size());
      second.await("live");
      Await.until("curl has what it missed", 120, () -> second.ids().containsAll(missed));
      assertEquals(missed.size(), second.ids().size(), "each record once, and none from before");
      second.process.destroy();
    } finally {
      node.close();
    }
  }

  /** {@code curl -N} with what it printed. */
  private final class Curl {
    private final Process process;
    private final List<JsonObject> lines = Collections.synchronizedList(new ArrayList<>());

    Curl(String query) throws IOException {
      process = new ProcessBuilder("curl", "-sN", address("/stream/a/%23" + query)).start();
      Thread reader = new Thread(this::read, "curl");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader text = process.inputReader()) {
        text.lines().forEach(line -> lines.add(new JsonObject(line)));
      } catch (IOException e) {
        lines.add(new JsonObject().put("type", "broken"));
      }
    }

    private List<JsonObject> all(String type) {
      return List.copyOf(lines).stream().filter(one -> type.equals(one.getString("type"))).toList();
    }

    void await(String type) {
      Await.until("curl is told " + type, 120, () -> !all(type).isEmpty());
    }

    List<String> ids() {
      return all("rec").stream().map(one -> one.getJsonObject("body").getString("id")).toList();
    }

    /** The last Position of each shard. */
    String positions() {
      Map<String, String> last = new TreeMap<>();
      for (JsonObject live : all("live")) {
        for (String each : live.getString("pos").split(",")) {
          last.put(each.split("\\.")[0], each);
        }
      }
      for (JsonObject record : all("rec")) {
        String each = record.getJsonObject("headers").getString("pos");
        last.put(each.split("\\.")[0], each);
      }
      return String.join(",", last.values());
    }
  }
}
