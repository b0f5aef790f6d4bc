package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The race board and the sensors in a real browser. */
@Tag("slow")
class BoardTest extends PageFixture {
  @Test
  void showsNamesOddsAndTheirChange() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(page.locator("#race-name")).hasText("Ascot 14:05");
    assertThat(cell("name")).hasText("Silver Harbour");
    assertThat(cell("odds")).hasText("4.20");
    assertThat(cell("volume")).hasText("12\u2009346");
    feed.publish(RUNNER, odds(4.6));
    assertThat(cell("odds")).hasText("4.60");
    assertThat(cell("change")).hasText("\u25B2 +0.40");
    feed.publish(RUNNER, odds(4.1));
    assertThat(cell("change")).hasText("\u25BC \u22120.50");
    assertThat(row()).hasClass(Pattern.compile("is-fresh"));
    chromium.assertNoComplaints();
  }

  @Test
  void ordersByOddsAndByWhatTheUserAsksFor() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    feed.publish("race/1.5/runner/43", new JsonObject().put("odds", 2.5));
    assertThat(page.locator("#runner-rows th")).hasText(names("Copper Kettle", "Silver Harbour"));
    page.click("[data-sort=number]");
    assertThat(page.locator("#runner-rows th")).hasText(names("Silver Harbour", "Copper Kettle"));
    assertThat(page.locator("th.number")).hasAttribute("aria-sort", "ascending");
  }

  private static String[] names(String... names) {
    return names;
  }

  @Test
  void ageTicks() throws Exception {
    open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(cell("age")).hasText(Pattern.compile("^[01]\\.\\d s$"));
    assertThat(cell("age")).hasText(Pattern.compile("^2\\.\\d s$"));
  }

  @Test
  void anOldValueInTheSnapshotDoesNotLookNew() throws Exception {
    race();
    feed.record(RUNNER, odds(4.2), (System.currentTimeMillis() - 300_000) * 1000, 2);
    open("");
    assertThat(cell("age")).hasText("5 min");
    assertThat(row()).hasClass(Pattern.compile("is-old"));
  }

  @Test
  void aLateOldValueDoesNotReplaceANewerOne() throws Exception {
    Page page = open("");
    race();
    feed.record(RUNNER, odds(4.2), System.currentTimeMillis() * 1000, 20);
    feed.record(RUNNER, odds(9.9), System.currentTimeMillis() * 1000, 19);
    feed.record("sensor/end", new JsonObject().put("value", 1), 1, 21);
    page.click("[data-view=sensors]");
    assertThat(page.locator("[data-topic='sensor/end']")).isVisible();
    page.click("[data-view=races]");
    assertThat(cell("odds")).hasText("4.20");
  }

  @Test
  void textIsNeverHtml() throws Exception {
    Page page = open("");
    String attack = "<img src=x onerror=\"document.title='pwned'\"><b>bold</b>";
    race();
    feed.publish(RUNNER, odds(4.2).put("name", attack));
    feed.publish("plant/" + attack, new JsonObject().put("note", attack).put("value", 1));
    assertThat(cell("name")).hasText(attack);
    page.click("[data-view=topics]");
    page.locator(".topic-item", new Page.LocatorOptions().setHasText("plant/")).click();
    assertThat(page.locator("#topic-json")).containsText("onerror=");
    assertEquals(0, page.locator("#main b, #main img").count());
    assertEquals("Galop", page.title());
  }

  @ParameterizedTest
  @ValueSource(strings = {"websocket", "xhr-streaming", "xhr-polling"})
  void transportCanBeForced(String transport) throws Exception {
    Page page = open("?transports=" + transport);
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(cell("odds")).hasText("4.20");
    assertThat(page.locator("#transport")).hasText(transport);
  }

  @Test
  void filtersCanBeChosen() throws Exception {
    chromium.page(feed.address("?filter=race/#,sensor/+"));
    assertEquals("race/#", feed.registration().getString("address"));
    assertEquals("sensor/+", feed.registration().getString("address"));
  }

  @Test
  void sensorShowsValueUnitAndBounds() throws Exception {
    Page page = open("?view=sensors");
    for (double value : new double[] {21.5, 19.25, 24}) {
      feed.publish("sensor/track", new JsonObject().put("value", value).put("unit", "°C"));
    }
    String card = "[data-topic='sensor/track'] ";
    assertThat(page.locator(card + "[data-field=value]")).hasText("24");
    assertThat(page.locator(card + "[data-field=unit]")).hasText("°C");
    assertThat(page.locator(card + "[data-field=min]")).containsText("19.25");
    assertThat(page.locator(card + "[data-field=max]")).containsText("24");
    assertThat(page.locator(card + "canvas")).hasAttribute("data-points", "3");
  }

  @Test
  void aThousandRecordsAtOnceAreShownAndThePageStaysQuick() throws Exception {
    Page page = open("");
    race();
    for (int i = 0; i < 5000; i++) {
      feed.publish("race/1.5/runner/" + (100 + i % 40), odds(2 + i / 1000.0));
    }
    feed.publish(RUNNER, odds(4.2));
    assertThat(cell("odds")).hasText("4.20");
    Object longest = page.evaluate(LONGEST_FRAME);
    assertTrue(((Number) longest).doubleValue() < 5_000, "a frame took " + longest + " ms");
  }

  private static final String LONGEST_FRAME =
      """
      () => new Promise((done) => {
        let last = performance.now(), longest = 0;
        const end = last + 1500;
        const frame = (time) => {
          longest = Math.max(longest, time - last);
          last = time;
          return time < end ? requestAnimationFrame(frame) : done(longest);
        };
        requestAnimationFrame(frame);
      })\
      """;
}
