package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonObject;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics in the console, in a real browser: how they are found, and what is shown of one. */
@Timeout(300)
class ConsoleTopicsIT {
  private static final int TOPICS = 5_000;
  private static final int RECORDS = 40;

  /** Of the page; some 2,000 are there. One for each topic would be too many. */
  private static final int MOST_ELEMENTS = 4_000;

  private static final String MARKUP = "mark/<img src=x onerror=\"window.hit=1\">/up";
  private static final String PLOTTED = "plot/this";

  @TempDir Path directory;

  private static void publish(GalopProcess node, String lines) throws Exception {
    String answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines).body();
    assertTrue(answer.contains("\"rejected\":[]"), answer);
  }

  private static String line(String topic, String id, JsonObject data) {
    return new JsonObject().put("topic", topic).put("id", id).put("data", data).encode() + "\n";
  }

  private static void publishAll(GalopProcess node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < TOPICS; n++) {
      lines.append(line("many/%05d/x".formatted(n), "m" + n, new JsonObject().put("n", n)));
      if (n % 1_000 == 999) {
        publish(node, lines.toString());
        lines.setLength(0);
      }
    }
    for (int n = 0; n < RECORDS; n++) {
      JsonObject deep = new JsonObject().put("level", n * n);
      publish(node, line(PLOTTED, "p" + n, new JsonObject().put("v", n).put("deep", deep)));
    }
    String id = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    publish(node, line("long/id", id, new JsonObject().put("v", 1)));
    String bold = "<b>bold</b>".repeat(40);
    publish(node, line(MARKUP, "<i>id</i>", new JsonObject().put("text", bold)));
  }

  private static void find(Page page, String words) {
    page.fill("#topics-words", words);
    page.press("#topics-words", "Enter");
  }

  private static Locator rows(Page page) {
    return page.locator("#topics tbody tr");
  }

  private static void assertSaid(Page page, String words) {
    assertThat(page.locator("#topics [role=status]").first()).containsText(words);
  }

  private static void assertFits(Page page) {
    String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assertEquals(0, ((Number) page.evaluate(wide)).intValue(), "it scrolls sideways");
  }

  @Test
  void findsTopicsAndShowsOne() throws Exception {
    try (Chromium chromium = Chromium.open();
        GalopProcess node = GalopProcess.run(directory, List.of(), List.of())) {
      publishAll(node);
      Page page = chromium.page(node.management("/").toString());
      page.click("#tab-topics");
      find(page, "many/");
      assertSaid(page, "200 shown, 4,800 more, read at ");
      assertThat(rows(page)).hasCount(200);
      assertThat(rows(page).first()).containsText("many/00000/x");
      assertThat(rows(page).first()).containsText("{\"n\":0}");
      Chromium.assertAtMostElements(page, MOST_ELEMENTS);
      find(page, "04999");
      assertSaid(page, "1 shown, read at ");
      find(page, "MANY/0499");
      assertThat(rows(page)).hasCount(10);
      find(page, "many/+/y");
      assertSaid(page, "0 shown");
      find(page, "many/+");
      assertSaid(page, "0 shown");
      find(page, "+/this");
      assertThat(rows(page)).hasCount(1);
      find(page, "many/#/x");
      assertSaid(page, "The node does not find them: filter 'many/#/x'");
      assertThat(page.locator("#topics table")).isHidden();
      showsOneByKeyboard(page, node);
      markupIsText(page);
      assertFits(page);
      page.setViewportSize(390, 844);
      assertFits(page);
      idsCanBeRead(page);
      shot(page, "topics-narrow");
      // of the question that was wrong; the browser itself says it
      assertEquals(1, chromium.complaints().size(), chromium.complaints()::toString);
    }
  }

  private static void showsOneByKeyboard(Page page, GalopProcess node) throws Exception {
    WebSocket viewer = PresenceIT.view(node, "plot/+");
    find(page, PLOTTED);
    assertSaid(page, "1 shown, read at "); // else the row may yet be replaced
    assertThat(rows(page)).hasCount(1);
    assertThat(rows(page)).containsText("p39");
    page.focus("#topics tbody button");
    page.keyboard().press("Enter");
    Locator chosen = page.locator("#topics-chosen");
    assertThat(chosen.locator("h3")).hasText(PLOTTED);
    assertThat(chosen.locator("h3")).isFocused();
    assertThat(chosen.locator(".value")).hasText("{\"v\":39,\"deep\":{\"level\":1521}}");
    assertThat(chosen.locator("dl")).containsText("p39");
    assertThat(chosen).containsText("40 newest records, all that are kept");
    assertThat(chosen.locator("figcaption")).containsText("v, 40 records, 0 to 39");
    String points = "document.querySelector('#topics-chosen .line').getAttribute('d').split('L')";
    assertEquals(RECORDS, ((Number) page.evaluate(points + ".length")).intValue());
    Await.until("the viewer counts", 120, () -> readAgain(page, "1 viewer ("));
    viewer.abort();
    page.getByLabel("Numeric field").selectOption("deep.level");
    assertThat(chosen.locator("figcaption")).containsText("deep.level, 40 records, 0 to 1521");
    publish(node, line(PLOTTED, "p40", new JsonObject().put("v", -7)));
    Await.until("it is read", 120, () -> readAgain(page, "p40"));
    assertThat(chosen.locator(".value")).hasText("{\"v\":-7}");
    shot(page, "topics");
    page.click("#topics-chosen a");
    assertThat(page.locator("#explain article h3")).hasText("p40 on " + PLOTTED);
    page.click("#tab-topics");
  }

  private static boolean readAgain(Page page, String words) {
    page.getByText("Read again").click();
    assertThat(page.locator("#topics-chosen dl")).not().containsText("…");
    assertThat(page.locator("#topics-chosen dl")).containsText("Watched by");
    return page.locator("#topics-chosen dl").textContent().contains(words);
  }

  private static void markupIsText(Page page) {
    find(page, "<img");
    assertThat(rows(page)).hasCount(1);
    assertThat(rows(page).locator("button")).hasText(MARKUP);
    rows(page).locator("button").click();
    assertThat(page.locator("#topics-chosen h3")).hasText(MARKUP);
    assertThat(page.locator("#topics-chosen .value")).containsText("<b>bold</b>\"}");
    assertThat(page.locator("#topics-chosen dl")).containsText("<i>id</i>");
    assertThat(page.locator("#topics-chosen")).containsText("none with a number");
    assertEquals(0, page.locator("#topics img, #topics b, #topics i").count(), "it is markup");
    assertEquals(true, page.evaluate("window.hit === undefined"));
  }

  /** Ids are long: a column that gives way to all others would have a letter a line. */
  private static void idsCanBeRead(Page page) {
    find(page, "long/");
    assertSaid(page, "1 shown, read at ");
    assertThat(rows(page)).containsText("long/id");
    double height = rows(page).first().boundingBox().height;
    assertTrue(height < 160, "a row of " + height + " px");
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page, String name) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      Path picture = Path.of(into, name + ".png");
      page.screenshot(new Page.ScreenshotOptions().setPath(picture).setFullPage(true));
    }
  }
}
