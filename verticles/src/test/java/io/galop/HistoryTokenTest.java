package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.galop.cli.TestConsole;
import io.galop.config.ConfigLoader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may not watch a topic may not read it up either. */
@Timeout(120)
class HistoryTokenTest {
  @TempDir private Path directory;

  private static HttpResponse<String> get(GalopNode node, String path, String token)
      throws Exception {
    URI uri = URI.create("http://" + node.listeners().get("http") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void historyIsKeptToWhatTheTokenAllows() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    List<String> sets = new ArrayList<>(issuer.settings());
    sets.addAll(List.of("node.dataDir=" + directory, "http.port=0", "management.port=0"));
    sets.add("node.roles=[persist]");
    String token = issuer.token("anna", 60, "race/+/x");
    try (GalopNode node =
        GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()))) {
      assertEquals(401, get(node, "/history/race/1/x", "").statusCode());
      assertEquals(401, get(node, "/history/race/1/x", token + "x").statusCode());
      assertEquals(401, get(node, "/history/race/1/x", token + "=").statusCode(), "padding");
      assertEquals(401, get(node, "/history/race/1/x", issuer.token("a", -1, "#")).statusCode());
      assertEquals(200, get(node, "/history/race/1/x", token).statusCode());
      assertEquals(200, get(node, "/history/race/+/x?limit=5", token).statusCode());
      for (String more : List.of("/history/%23", "/history/race/%2B/%2B", "/history//race/1/x")) {
        int status = get(node, more, token).statusCode();
        assertTrue(status == 403 || status == 400, more + " was answered with " + status);
      }
      assertEquals(403, get(node, "/history/race/1/x/../y", token).statusCode());
      for (String none : List.of("/history", "/history/", "//history")) {
        int status = get(node, none, token).statusCode();
        assertTrue(status >= 400 && status < 500, none + " was answered with " + status);
      }
      TestConsole console = new TestConsole();
      String url = "http://" + node.listeners().get("http");
      int exit = console.run("history", "race/1/x", "--url", url, "--viewer-token", token);
      assertEquals(0, exit, console.err());
      assertEquals(1, console.run("history", "race/1/x", "--url", url));
      assertTrue(console.err().contains("401"), console.err());
    }
  }
}
