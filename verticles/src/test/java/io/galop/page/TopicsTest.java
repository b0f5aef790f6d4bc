package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of topics and the history plot in a real browser. */
@Tag("slow")
class TopicsTest extends PageFixture {
  private static final int RECORDS = 10_000;
  private static final int PEAK_AT = 7_003;
  private static final long END_MS = System.currentTimeMillis() - 1_000;

  /** A flat line with one peak of a single record, newest first as the server gives it. */
  private static JsonArray flatWithOnePeak() {
    JsonArray records = new JsonArray();
    for (int i = RECORDS - 1; i >= 0; i--) {
      JsonObject data = new JsonObject().put("value", i == PEAK_AT ? 90 : 10).put("other", i);
      long timeUs = (END_MS - (RECORDS - 1 - i) * 1000L) * 1000;
      records.add(
          new JsonObject()
              .put("id", "h" + i)
              .put("topic", "plant/1")
              .put("time", timeUs)
              .put("data", data));
    }
    return records;
  }

  private Page pick() throws InterruptedException {
    Page page = open("?view=topics");
    feed.record("plant/1", new JsonObject().put("value", 10), END_MS * 1000, 1);
    feed.publish("race/1.5/runner/42", odds(4.2));
    page.click("[data-pick='plant/1']");
    return page;
  }

  @Test
  void plotsTenThousandRecordsWithoutLosingThePeak() throws Exception {
    feed.history(flatWithOnePeak());
    Page page = pick();
    assertThat(page.locator("#topic-plot")).hasAttribute("data-points", "10000");
    assertThat(page.locator("#topic-readout"))
        .hasText(Pattern.compile("10\u2009000 records, value from 10 to 90"));
    int[] rows = inkedRows(page);
    assertTrue(rows[0] < 60, "the peak is not drawn; the highest ink is at " + rows[0]);
    assertTrue(rows[1] > 240, "the line is not drawn; the lowest ink is at " + rows[1]);
    chromium.assertNoComplaints();
  }

  /** The first and the last row of pixels with the colour of the line, left and right cut off. */
  private static int[] inkedRows(Page page) {
    JsonArray rows = new JsonArray((String) page.evaluate(INKED_ROWS));
    return new int[] {rows.getInteger(0), rows.getInteger(1)};
  }

  private static final String INKED_ROWS =
      """
      () => {
        const canvas = document.getElementById("topic-plot");
        const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let first = -1, last = -1;
        for (let y = 0; y < image.height; y++) {
          for (let x = 80; x < image.width - 20; x++) {
            const i = (y * image.width + x) * 4, d = image.data;
            if (d[i + 3] > 150 && d[i] < 60 && d[i + 1] > 80 && d[i + 1] < 140 && d[i + 2] < 90) {
              first = first < 0 ? y : first;
              last = y;
            }
          }
        }
        return JSON.stringify([first, last]);
      }\
      """;

  @Test
  void plotsTheFieldThatIsChosen() throws Exception {
    feed.history(flatWithOnePeak());
    Page page = pick();
    assertThat(page.locator("#topic-plot")).hasAttribute("data-points", "10000");
    page.selectOption("#topic-field", "other");
    assertThat(page.locator("#topic-readout")).hasText(Pattern.compile("other from 0 to 9999"));
  }

  @Test
  void liveRecordsJoinTheHistory() throws Exception {
    JsonArray one = new JsonArray().add(flatWithOnePeak().getJsonObject(0));
    feed.history(one);
    Page page = pick();
    assertThat(page.locator("#topic-readout")).containsText("1 record,");
    feed.publish("plant/1", new JsonObject().put("value", 55));
    assertThat(page.locator("#topic-readout")).containsText("2 records, value from 10 to 55");
    assertThat(page.locator("#topic-json")).containsText("\"value\": 55");
  }

  @Test
  void withoutCanvasTheNumbersRemain() throws Exception {
    chromium.before("HTMLCanvasElement.prototype.getContext = undefined;");
    feed.history(flatWithOnePeak());
    Page page = pick();
    assertThat(page.locator("#topic-table tbody tr")).hasCount(200);
    assertThat(page.locator("#topic-rows tr:first-child td:last-child")).hasText("10");
    assertThat(page.locator("#topic-plot")).isHidden();
    page.click("[data-view=races]");
    race();
    assertThat(cell("odds")).hasText("4.20");
    assertThat(cell("name")).hasText("Silver Harbour");
    chromium.assertNoComplaints();
  }

  @Test
  void listsAndNarrowsTopics() throws Exception {
    Page page = pick();
    assertThat(page.locator(".topic-item")).hasCount(2);
    page.locator("#topic-search").pressSequentially("plant");
    assertThat(page.locator(".topic-item")).hasCount(1);
    assertThat(page.locator("[data-pick='plant/1']")).hasAttribute("aria-current", "true");
    assertEquals(1, page.locator("#topic-field option").count());
  }
}
