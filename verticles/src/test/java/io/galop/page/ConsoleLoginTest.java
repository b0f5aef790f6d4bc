package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.ColorScheme;
import io.galop.OperatedNode;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
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

/** The operators' console in a real browser: its login, its acts, and other pages that try them. */
@Timeout(180)
class ConsoleLoginTest {
  @TempDir Path directory;

  private static String draining(OperatedNode node) throws Exception {
    return node.audit("drain").stream()
        .map(line -> line.getString("operator") + " " + line.getString("outcome"))
        .toList()
        .toString();
  }

  @Test
  void anOperatorLogsInAndActs() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory);
        Chromium chromium = Chromium.open()) {
      String console = "http://" + node.address("management") + "/";
      chromium.login("anna", "of-anna");
      Page page = chromium.page(console);
      assertThat(page.locator("body")).containsText("anna (operator)");
      page.click("text=Drain this node…");
      assertThat(page.locator("dialog")).containsText("sends all its viewers to other nodes");
      page.click("dialog button:text-is('Drain')");
      assertEquals("[]", draining(node), "the box is not ticked");
      page.check("dialog input");
      page.click("dialog button:text-is('Drain')");
      node.await("she has acted", () -> draining(node).equals("[anna begun, anna done]"));
      assertThat(page.locator("dialog")).containsText("Done");
      assertEquals(console + "#/overview", page.url());
      JsonObject line = node.audit("drain").get(1);
      assertEquals("basic", line.getString("login"));
      chromium.assertNoComplaints();
    }
  }

  private static void publish(OperatedNode node, String topic, String data) throws Exception {
    URI door = URI.create("http://" + node.address("http") + "/publish/" + topic);
    HttpRequest record = HttpRequest.newBuilder(door).POST(BodyPublishers.ofString(data)).build();
    int status = HttpClient.newHttpClient().send(record, BodyHandlers.discarding()).statusCode();
    assertEquals(202, status);
  }

  private static final String HOT =
      "alarms.rules=[{name: hot, topics: s/+, text: '<b>{topic}</b>', severity: high,"
          + " when: {limit: {field: c, above: 1}}}]";

  /** By keyboard alone, on a narrow screen. */
  @Test
  void anOperatorAcknowledgesAndShelves() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory, HOT);
        Chromium chromium = Chromium.open()) {
      publish(node, "s/1", "{\"c\":2}");
      publish(node, "s/2", "{\"c\":2}");
      chromium.login("anna", "of-anna");
      Page page = chromium.page("http://" + node.address("management") + "/#/alarms");
      page.setViewportSize(390, 844);
      assertThat(page.locator("#alarms tbody tr")).hasCount(2);
      assertThat(page.locator("#alarms")).containsText("<b>s/1</b>");
      assertEquals(0, page.locator("#alarms b").count(), "text of a topic became markup");
      assertThat(page.locator("[aria-label='Acknowledge hot/s/1']")).isVisible();
      page.focus("[aria-label='Acknowledge hot/s/1']");
      page.keyboard().press("Enter");
      page.focus("dialog .act");
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog")).containsText("Done: 1 changed");
      page.keyboard().press("Escape");
      page.focus("[aria-label='Shelve hot/s/2']");
      page.keyboard().press("Enter");
      page.fill("#minutes", "60");
      page.fill("#reason", "works");
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog")).containsText("Done: 1 changed");
      page.keyboard().press("Escape");
      assertThat(page.locator("#alarms tr.acknowledged")).containsText("by anna");
      assertThat(page.locator("#alarms tr.shelved")).containsText("by anna, until ");
      assertThat(page.locator("[aria-label='Acknowledge hot/s/1']")).isHidden();
      assertThat(page.locator("[aria-label='Unshelve hot/s/2']")).isVisible();
      JsonObject line = node.audit("alarms/shelve").get(1);
      assertEquals("anna done", line.getString("operator") + " " + line.getString("outcome"));
      String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      assertEquals(0, ((Number) page.evaluate(wide)).intValue(), "it scrolls sideways");
      for (ColorScheme colors : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colors));
        assertTrue(((Number) page.evaluate(LEAST_CONTRAST)).doubleValue() >= 4.5, "" + colors);
      }
      chromium.assertNoComplaints();
    }
  }

  /** Of the texts of the alarms, as WCAG has it. */
  private static final String LEAST_CONTRAST =
      """
      (() => {
        const parts = (text) => text.match(/[\\d.]+/g).map(Number);
        const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        const behind = (one) => {
          const colour = getComputedStyle(one).backgroundColor;
          return parts(colour)[3] === 0 ? behind(one.parentElement) : parts(colour);
        };
        const all = [...document.querySelectorAll('#alarms th, #alarms td, #alarms button, #alarms p, #alarms li')];
        return Math.min(...all.filter((one) => one.offsetParent).map((one) => {
          const [a, b] = [light(parts(getComputedStyle(one).color)), light(behind(one))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }));
      })()
      """;

  @Test
  void aViewerSeesNoActs() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory, HOT);
        Chromium chromium = Chromium.open()) {
      publish(node, "s/1", "{\"c\":2}");
      chromium.login("bert", "of-bert");
      Page page = chromium.page("http://" + node.address("management") + "/");
      assertThat(page.locator("body")).containsText("bert (viewer)");
      assertThat(page.locator("#tab-overview")).isVisible();
      assertEquals(0, page.locator("form:not(.question)").count());
      assertEquals(0, page.locator("button:has-text('Drain')").count());
      page.click("#tab-alarms");
      assertThat(page.locator("#alarms tbody tr")).hasCount(1);
      assertThat(page.locator("#alarms button").first()).isHidden();
    }
  }

  /** The browser adds the operator's login to what a page of another site sends. */
  @Test
  void anotherPageCannotActWithTheLoginOfItsReader() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (OperatedNode node = OperatedNode.start(directory);
        Chromium chromium = Chromium.open()) {
      String console = "http://" + node.address("management") + "/";
      String form = "<form method=post action='" + console + "drain'><button>win</button></form>";
      String frame = "<iframe src='" + console + "'></iframe>";
      HttpServer evil =
          vertx
              .createHttpServer(Http1.options())
              .requestHandler(
                  request ->
                      request
                          .response()
                          .putHeader("Content-Type", "text/html")
                          .end("<title>x</title>" + form + frame))
              .listen(0, "127.0.0.1")
              .await();
      chromium.login("anna", "of-anna");
      assertThat(chromium.page(console).locator("body")).containsText("anna (operator)");
      for (String host : List.of("127.0.0.1", "localhost")) {
        Page page = chromium.page("http://" + host + ":" + evil.actualPort() + "/");
        Response answer = page.waitForResponse(console + "drain", () -> page.click("button"));
        assertEquals(403, answer.status());
        assertTrue(answer.request().headerValue("authorization").startsWith("Basic "), "with it");
      }
      assertEquals("[anna refused, anna refused]", draining(node));
      Page page = chromium.page("http://127.0.0.1:" + evil.actualPort() + "/");
      assertFalse(page.frames().get(1).content().contains("anna"), "no frame shows the console");
    } finally {
      vertx.close().await();
    }
  }
}
