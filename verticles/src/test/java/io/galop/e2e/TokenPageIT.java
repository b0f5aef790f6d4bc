package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import io.galop.page.Chromium;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that asks for tokens, set up as docs/access.md says, seen from a real browser. */
@Timeout(180)
class TokenPageIT {
  private static final Path ACCESS = Path.of("../docs/access.md");

  @TempDir private Path directory;
  private HttpServer listed;
  private HttpServer unlisted;
  private Chromium chromium;
  private GalopProcess node;
  private String token;

  @BeforeEach
  void start() throws Exception {
    chromium = Chromium.open();
    listed = site();
    unlisted = site();
    token = documentedToken();
    node =
        GalopProcess.run(
            directory.resolve("data"),
            List.of(),
            List.of(
                "--set",
                "broadcast.token.keyFile=" + directory.resolve("viewers.pub"),
                "--set",
                "broadcast.token.algorithm=rs256",
                "--set",
                "broadcast.origins=[" + address(listed) + "]"));
  }

  @AfterEach
  void stop() {
    node.close();
    listed.stop(0);
    unlisted.stop(0);
    chromium.close();
  }

  /** Another site, with one empty page. */
  private static HttpServer site() throws IOException {
    HttpServer site = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    site.createContext(
        "/",
        exchange -> {
          byte[] page = "<!DOCTYPE html><title>elsewhere</title>".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    site.start();
    return site;
  }

  private static String address(HttpServer site) {
    return "http://127.0.0.1:" + site.getAddress().getPort();
  }

  /** Runs the example of the document, as it stands there. */
  private String documentedToken() throws Exception {
    String text = Files.readString(ACCESS);
    int begin = text.indexOf("```sh\nopenssl genpkey");
    assertTrue(begin > 0, "the example is not where it was");
    String example = text.substring(begin + "```sh\n".length(), text.indexOf("\n```", begin));
    Process shell =
        new ProcessBuilder("sh", "-e", "-c", example)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("openssl.log").toFile())
            .start();
    assertTrue(shell.waitFor(60, TimeUnit.SECONDS), "openssl does not end");
    assertEquals(0, shell.exitValue(), Files.readString(directory.resolve("openssl.log")));
    return Files.readString(directory.resolve("token")).strip();
  }

  private void publish(String topic) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.http("/publish/" + topic))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"value\":1}"))
            .build();
    assertEquals(
        202, HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode());
  }

  @Test
  void thePageAndTheCommandGetInWithTheDocumentedToken() throws Exception {
    publish("race/1/x");
    publish("sensor/1");
    Page page =
        chromium.page(node.http("/?view=topics&token=" + token).toString() + "&filter=race/%23");
    assertThat(page.locator("#state")).hasText("Live");
    page.locator("[data-pick='race/1/x']").click();
    assertThat(page.locator("#topic-json")).containsText("value");
    assertThat(page.locator("#topic-plot")).hasAttribute("data-points", "1");
    chromium.assertNoComplaints();
    chromium.forget();
    Page without = chromium.page(node.http("/?filter=race/%23").toString());
    assertThat(without.locator("#alarm")).isVisible();
    String url = "http://" + node.address("http");
    String[] subscribe = {"subscribe", "race/#", "--snapshot", "--count", "1", "--url", url};
    Cli.Ended refused = Cli.run(subscribe);
    assertEquals(1, refused.code());
    assertTrue(refused.text().contains("asks for a token"), refused.text());
    String[] with = java.util.Arrays.copyOf(subscribe, subscribe.length + 2);
    with[subscribe.length] = "--viewer-token";
    with[subscribe.length + 1] = token;
    assertTrue(Cli.ok(with).contains("race/1/x"));
    assertFalse(node.text().contains(token), "the node has logged a token");
  }

  @Test
  void pagesOfOtherSitesGetInOnlyWhereTheyAreListed() throws Exception {
    assertEquals("open, 200", tried(listed));
    assertEquals("refused, unreadable", tried(unlisted));
  }

  /** What a page of a site makes of a websocket, and of a request that it wants to read. */
  private Object tried(HttpServer site) {
    Page page = chromium.page(address(site));
    URI live = node.http("/live");
    String script =
        """
        async ([live, token]) => {
          const socket = await new Promise((done) => {
            const tried = new WebSocket(live.replace('http', 'ws') + '/websocket?token=' + token);
            tried.onopen = () => done('open');
            tried.onerror = () => done('refused');
          });
          const info = await fetch(live + '/info?token=' + token, {credentials: 'include'})
            .then((answer) => answer.status, () => 'unreadable');
          return socket + ', ' + info;
        }
        """;
    return page.evaluate(script, List.of(live.toString(), token));
  }
}
