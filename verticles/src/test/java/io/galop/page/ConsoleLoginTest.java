package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import io.galop.OperatedNode;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operators' console in a real browser: its login, its acts, and other pages that try them. */
@Timeout(180)
class ConsoleLoginTest {
  private static final String BOTH =
      "document.querySelector('input').checked = true; document.querySelector('button').click()";

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
      page.evaluate("document.querySelector('button').click()");
      assertEquals("[]", draining(node), "the box is not ticked");
      page.evaluate(BOTH); // in one step, as the page loads itself again now and then
      node.await("she has acted", () -> draining(node).equals("[anna begun, anna done]"));
      assertThat(page.locator("h1")).containsText("Galop node");
      assertEquals(console, page.url());
      JsonObject line = node.audit("drain").get(1);
      assertEquals("basic", line.getString("login"));
      chromium.assertNoComplaints();
    }
  }

  @Test
  void aViewerSeesNoActs() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory);
        Chromium chromium = Chromium.open()) {
      chromium.login("bert", "of-bert");
      Page page = chromium.page("http://" + node.address("management") + "/");
      assertThat(page.locator("body")).containsText("bert (viewer)");
      assertEquals(0, page.locator("form").count());
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
