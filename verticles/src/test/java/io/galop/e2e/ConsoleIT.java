package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.galop.page.Chromium;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console of a node that works, in a real browser, wide and narrow, by mouse and by keyboard.
 */
@Timeout(300)
class ConsoleIT {
  private static final String TAKEN =
      "[...document.querySelectorAll('.way .fact')].find(t => t.textContent.endsWith(' taken'))";

  @TempDir Path directory;

  /** Asked again and again from here: the page's policy forbids what waits inside it. */
  private static void await(Page page, String condition) throws Exception {
    String asked = "Boolean(" + condition + ")";
    Await.until(condition, 120, () -> Boolean.TRUE.equals(page.evaluate(asked)));
  }

  /** Nothing makes the page scroll sideways. */
  private static void assertFits(Page page) {
    String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assertEquals(0, ((Number) page.evaluate(wide)).intValue(), page.url());
  }

  private static void assertEachTabFits(Page page) {
    for (String tab :
        List.of(
            "overview",
            "nodes",
            "work",
            "viewers",
            "topics",
            "letters",
            "alarms",
            "ledger",
            "drills",
            "explain",
            "counters")) {
      page.click("#tab-" + tab);
      assertThat(page.locator("#" + tab)).isVisible();
      assertFits(page);
    }
  }

  @Test
  void showsANodeThatWorksAndNamesWhatIsWrong() throws Exception {
    try (Chromium chromium = Chromium.open();
        GalopProcess node = GalopProcess.demo(directory, List.of())) {
      Page page = chromium.page(node.management("/").toString());
      await(page, TAKEN);
      page.evaluate("window.first = " + TAKEN + ".textContent");
      await(page, TAKEN + ".textContent !== window.first && !window.first.startsWith('–')");
      await(page, "/^[1-9]/.test(document.querySelector('.way .rate').textContent)");
      await(page, "document.querySelector('.plots .line').getAttribute('d').includes('L')");
      assertThat(page.locator("#overview td").first()).hasText("placed");
      assertThat(page.locator("#overview")).containsText("% used; next: ");
      assertThat(page.locator("#who")).containsText("no login");
      assertEquals(0, page.locator("#who button").count(), "nobody would be named");
      shot(page, "wide");

      page.reload();
      await(page, "document.querySelector('.plots .line').getAttribute('d').includes('L')");
      page.focus("#tab-overview");
      page.keyboard().press("ArrowRight");
      assertThat(page.locator("#tab-nodes")).isFocused();
      assertThat(page.locator("#nodes")).containsText("management");
      assertThat(page.locator("#nodes")).containsText("% used; next: ");
      page.keyboard().press("End");
      assertThat(page.locator("#counters tbody tr").first()).isVisible();
      page.fill("#words", "galop_ingest_records");
      assertThat(page.locator("#counters tbody tr").first()).containsText("galop_ingest_records");
      explainByKeyboard(page, node);
      viewersByKeyboard(page, node);
      assertEachTabFits(page);
      page.setViewportSize(390, 844);
      assertEachTabFits(page);
      page.click("#tab-overview");
      shot(page, "narrow");

      HttpRequest drain =
          HttpRequest.newBuilder(node.management("/drain")).POST(BodyPublishers.noBody()).build();
      int status = HttpClient.newHttpClient().send(drain, BodyHandlers.discarding()).statusCode();
      assertEquals(202, status);
      assertThat(page.locator(".conditions")).containsText("drain");
      assertThat(page.locator("#state")).containsText("not ready");
      assertTrue(page.title().startsWith("⚠"), page.title());
      chromium.assertNoComplaints();
      saysWhyThereIsNoAnswer(page);
    }
  }

  private static void explainByKeyboard(Page page, GalopProcess node) throws Exception {
    String line = "{\"topic\":\"looked/at\",\"id\":\"look-1\",\"data\":{\"v\":1}}\n";
    assertEquals(
        202, Stored.post(node.http("/publish"), "application/x-ndjson", line).statusCode());
    page.click("#tab-explain");
    page.focus("#explain-id");
    page.keyboard().type("look-1");
    page.keyboard().press("Enter");
    assertThat(page.locator("#explain article h3")).hasText("look-1 on looked/at");
    assertThat(page.locator("#explain dl")).containsText("by the door http of");
    String unsent = "not known, because none of the registrations of now counts as sent";
    assertThat(page.locator("#explain article")).containsText(unsent);
    shot(page, "explain");
    page.fill("#explain-id", "nobody");
    page.keyboard().press("Enter");
    assertThat(page.locator("#explain [role=status]")).containsText("Not known, because");
  }

  private static void viewersByKeyboard(Page page, GalopProcess node) throws Exception {
    page.click("#tab-viewers");
    String nobody = "<b>nobody</b>";
    Await.until(
        "nobody counts", 120, () -> counted(page, nobody).startsWith(nobody + ": 0 viewers, "));
    assertEquals(0, page.locator("#viewers b").count(), "text of a topic became markup");
    WebSocket viewer = PresenceIT.view(node, "looked/+");
    Await.until(
        "the viewer counts",
        120,
        () -> counted(page, "looked/at").startsWith("looked/at: 1 viewer, "));
    assertThat(page.locator("#viewers section").first().locator("tbody tr")).hasCount(1);
    shot(page, "viewers");
    viewer.abort();
  }

  /** The browser itself complains of each answer that is none. */
  private static void saysWhyThereIsNoAnswer(Page page) {
    page.click("#tab-viewers");
    page.route("**/presence?*", Route::abort);
    said(page, "looked/at", "The node does not count them: it cannot be reached");
    page.unroute("**/presence?*");
    page.route("**/presence?*", r -> r.fulfill(new Route.FulfillOptions().setStatus(502)));
    said(page, "looked/at", "there is no answer that can be read (502)");
    page.unroute("**/presence?*");
    said(page, "looked/#/at", "(400)");
  }

  private static void said(Page page, String topic, String words) {
    page.fill("#presence-filter", topic);
    page.press("#presence-filter", "Enter");
    assertThat(page.locator("#viewers section:first-child [role=status]")).containsText(words);
  }

  private static String counted(Page page, String topic) {
    page.fill("#presence-filter", "");
    page.focus("#presence-filter");
    page.keyboard().type(topic);
    page.keyboard().press("Enter");
    assertThat(page.locator("#viewers section:first-child [role=status]"))
        .containsText(topic + ": ");
    return page.locator("#viewers section:first-child [role=status]").textContent();
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page, String name) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(into, name + ".png")));
    }
  }
}
