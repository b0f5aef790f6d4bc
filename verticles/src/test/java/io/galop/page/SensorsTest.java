package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing is left out of the sensors without a word, and plots draw nothing nobody measured. */
@Tag("slow")
class SensorsTest extends PageFixture {
  private static final int PAGE = 60;
  private static final long MINUTE_MS = 60_000;

  private void publish(int sensors) {
    for (int n = sensors; n > 0; n--) {
      feed.publish("sensor/pump-" + n, new JsonObject().put("value", n).put("unit", "bar"));
    }
  }

  private static void screenshot(Page page, String name) {
    String directory = System.getProperty("galop.screenshots");
    if (directory != null) {
      Path file = Path.of(directory, name + ".png");
      page.screenshot(new Page.ScreenshotOptions().setPath(file));
    }
  }

  private static List<String> names(Page page) {
    return page.locator("#sensor-cards h2").allTextContents();
  }

  @Test
  void showsAllOf301SensorsPageByPageInTheOrderOfTheirNames() throws Exception {
    Page page = open("?view=sensors");
    publish(301);
    Locator count = page.locator("#sensor-count");
    assertThat(count).hasText("1\u201360 of 301 sensors");
    screenshot(page, "sensors-301");
    int seen = 0;
    for (int from = 1; from <= 301; from += PAGE) {
      int to = Math.min(301, from + PAGE - 1);
      assertThat(count).hasText(from + "\u2013" + to + " of 301 sensors");
      List<String> names = names(page);
      for (String name : names) {
        assertEquals("pump-" + ++seen, name);
      }
      assertEquals(to - from + 1, names.size());
      if (to < 301) {
        page.click("#sensor-next");
      }
    }
    assertThat(page.locator("#sensor-next")).isDisabled();
    page.click("#sensor-previous");
    assertThat(count).hasText("241\u2013300 of 301 sensors");
    chromium.assertNoComplaints();
  }

  @Test
  void findsOneOfFiveThousand() throws Exception {
    Page page = open("?view=sensors");
    publish(5_000);
    assertThat(page.locator("#sensor-count")).hasText("1\u201360 of 5\u2009000 sensors");
    page.locator("#sensor-search").pressSequentially("pump-4999");
    assertThat(page.locator("#sensor-count"))
        .hasText("1\u20131 of 1 that match, of 5\u2009000 sensors");
    String card = "[data-topic='sensor/pump-4999'] ";
    assertThat(page.locator(card + "[data-field=value]")).hasText("4999");
    feed.publish("sensor/pump-4999", new JsonObject().put("value", 7));
    assertThat(page.locator(card + "[data-field=value]")).hasText("7");
    page.locator("#sensor-search").pressSequentially("x");
    assertThat(page.locator("#sensor-count")).hasText("None of 5\u2009000 sensors matches.");
    chromium.assertNoComplaints();
  }

  @Test
  void thePageStaysQuickWithFiveThousand() throws Exception {
    Page page = open("?view=sensors");
    publish(5_000);
    assertThat(page.locator("#sensor-count")).hasText("1\u201360 of 5\u2009000 sensors");
    double longest = ((Number) page.evaluate(LONGEST_FRAME)).doubleValue();
    assertTrue(longest < 10_000, "a frame took " + longest + " ms");
  }

  private static final String LONGEST_FRAME =
      """
      () => new Promise((done) => {
        let last = performance.now(), longest = 0;
        const end = last + 2500;
        const frame = (time) => {
          longest = Math.max(longest, time - last);
          last = time;
          return time < end ? requestAnimationFrame(frame) : done(longest);
        };
        requestAnimationFrame(frame);
      })\
      """;

  @Test
  void staleSensorsComeFirstAndAreCounted() throws Exception {
    Page page = open("?view=sensors");
    publish(100);
    assertThat(page.locator("#sensor-count")).hasText("1\u201360 of 100 sensors");
    feed.tell("stale", "sensor/pump-99");
    feed.tell("stale", "sensor/pump-7");
    assertThat(page.locator("#sensor-count")).hasText("1\u201360 of 100 sensors, 2 stale");
    assertEquals(List.of("pump-7", "pump-99", "pump-1"), names(page).subList(0, 3));
    page.selectOption("#sensor-order", "name");
    assertThat(page.locator("#sensor-cards .card:first-child h2")).hasText("pump-1");
    feed.tell("fresh", "sensor/pump-99");
    assertThat(page.locator("#sensor-count")).hasText("1\u201360 of 100 sensors, 1 stale");
  }

  private static final int RECORDS_AFTER = 120;

  /**
   * Whether the rows beside the outage have several values each, for rows of an hour's and of a
   * day's plot: a row with one value may be sampled, and is no sign of an outage.
   */
  private static boolean isSeenInRows(long endMs) {
    long first = endMs / 1000 - RECORDS_AFTER + 1;
    long last = endMs / 1000 - RECORDS_AFTER - 37 * MINUTE_MS / 1000;
    return IntStream.of(12, 300)
        .allMatch(row -> Math.floorMod(first, row) < row - 4 && Math.floorMod(last, row) >= 4);
  }

  /** One record a second for ten minutes, then an outage of 37, then two minutes more. */
  private static JsonArray withAnOutage() {
    JsonArray newestFirst = new JsonArray();
    long end = System.currentTimeMillis() - 1000;
    while (!isSeenInRows(end)) {
      end -= 1000;
    }
    for (int n = 0; n < 720; n++) {
      long timeMs = end - n * 1000L - (n < RECORDS_AFTER ? 0 : 37 * MINUTE_MS);
      newestFirst.add(
          new JsonObject()
              .put("id", "h" + n)
              .put("topic", "sensor/pump-1")
              .put("time", timeMs * 1000)
              .put("data", new JsonObject().put("value", 10)));
    }
    return newestFirst;
  }

  @Test
  void anOutageIsAGapInThePlotAndInWords() throws Exception {
    feed.history(withAnOutage());
    Page page = open("?view=sensors");
    page.evaluate("() => { document.getElementById('sensor-range').value = '3600'; }");
    page.evaluate("() => galopPage.sensorCard.setRange(3600)");
    publish(1);
    String card = "[data-topic='sensor/pump-1'] ";
    assertThat(page.locator(card + "canvas")).hasAttribute("data-gaps", "1");
    assertThat(page.locator(card + "[data-field=span]"))
        .hasText(Pattern.compile("over (48|49) min, 1 gap of (36|37) min")); // buckets of 12 s
    screenshot(page, "sensors-gap");
    double inked = ((Number) page.evaluate(INKED_COLUMNS, card + "canvas")).doubleValue();
    assertTrue(inked > 0.15 && inked < 0.4, "the line covers " + inked + " of the time");
    page.click("[data-view=topics]");
    page.click("[data-pick='sensor/pump-1']");
    assertThat(page.locator("#topic-readout")).containsText("gap of 37 min");
    chromium.assertNoComplaints();
  }

  /**
   * From a minute to a month in at most so many rows, with gaps as gaps, however short a bucket.
   */
  @Test
  void aRangeIsPlottedInRowsAndItsGapsStay() throws Exception {
    feed.history(withAnOutage());
    Page page = open("?view=sensors");
    publish(1);
    String card = "[data-topic='sensor/pump-1'] ";
    assertThat(page.locator(card + "canvas")).hasAttribute("data-points", Pattern.compile("\\d+"));
    page.waitForCondition(() -> !feed.rowsAsked().isEmpty());
    assertTrue(feed.rowsAsked().get(0).contains("every=2s&"), feed.rowsAsked().toString());
    feed.lacks("two");
    page.selectOption("#sensor-range", "86400");
    assertThat(page.locator(card + "canvas")).hasAttribute("data-gaps", "1");
    Locator span = page.locator(card + "[data-field=span]");
    assertThat(span).containsText("1 gap of ");
    assertThat(span).containsText("incomplete, without two");
    String last = feed.rowsAsked().get(feed.rowsAsked().size() - 1);
    assertTrue(last.contains("every=300s&agg=min,max,count&fields=value&from="), last);
    int points = Integer.parseInt(page.locator(card + "canvas").getAttribute("data-points"));
    assertTrue(points < 100, points + " points, not 720");
    feed.publish("sensor/pump-1", new JsonObject().put("value", 50));
    assertThat(page.locator(card + "[data-field=max]")).containsText("max 50");
    page.selectOption("#sensor-range", "2592000");
    page.waitForCondition(() -> feed.rowsAsked().toString().contains("every=10800s&"));
    page.selectOption("#sensor-range", "604800");
    page.waitForCondition(() -> feed.rowsAsked().toString().contains("every=3600s&"));
    chromium.assertNoComplaints();
  }

  /** The share of columns of the plot's area that have the colour of the line. */
  private static final String INKED_COLUMNS =
      """
      (canvas) => {
        canvas = document.querySelector(canvas);
        const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let columns = 0, inked = 0;
        for (let x = 58; x < image.width - 12; x++) {
          let ink = false;
          for (let y = 0; y < image.height; y++) {
            const i = (y * image.width + x) * 4, d = image.data;
            ink = ink || (d[i + 3] > 150 && d[i] < 60 && d[i + 1] > 80 && d[i + 1] < 140
              && d[i + 2] < 90);
          }
          columns++;
          inked += ink ? 1 : 0;
        }
        return inked / columns;
      }\
      """;

  /** What is kept is sampled, what is live is not: no outage. Nor is a slow rhythm. */
  @Test
  void anotherRhythmIsNoGap() throws Exception {
    Page page = open("?view=sensors");
    Object gaps =
        page.evaluate(
            """
            () => {
              const gaps = (times) => {
                const series = new galopPage.Series(1000);
                times.forEach((time) => series.push(time * 1000, 1));
                return series.gaps().length;
              };
              const every = (from, step, count) =>
                Array.from({length: count}, (none, i) => from + i * step);
              return [
                gaps(every(0, 60, 50).concat(every(3000, 0.1, 50))),
                gaps(every(0, 3600, 50)),
                gaps([0, 10000]),
                gaps(every(0, 1, 20).concat([600])),
                gaps(every(0, 1, 20).concat(every(620, 1, 20), every(1300, 1, 20))),
                gaps(every(0, 0.1, 20).concat(every(5, 0.1, 20)))
              ].join();
            }\
            """);
    assertEquals("0,0,0,1,2,0", gaps);
  }

  @Test
  void whatThePageHasNoRoomForIsSaid() throws Exception {
    Page page = open("?view=sensors");
    assertThat(page.locator("#left-out")).isHidden();
    page.evaluate(
        """
        () => {
          for (let n = 0; n <= 20000; n++) {
            galopPage.store.put({topic: "sensor/s" + n, filter: "#", id: "i" + n,
              time: (new Date().getTime() - 60000 + n) * 1000, data: {value: n},
              received: new Date().getTime(), catchingUp: true, ageMs: 1});
          }
        }\
        """);
    assertThat(page.locator("#left-out")).containsText("2\u2009000 so far");
    assertThat(page.locator("#sensor-count")).containsText("of 18\u2009001 sensors");
  }
}
