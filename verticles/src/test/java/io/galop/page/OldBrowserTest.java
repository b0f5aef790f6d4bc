package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page in a browser from which everything has been taken that IE8 did not have. */
@Tag("slow")
class OldBrowserTest extends PageFixture {
  /** IE8's attachEvent hands the event over in a global, and calls with another this. */
  private static final String AGE =
      """
      (() => {
        const remove = (from, names) => names.split(" ").forEach((name) => delete from[name]);
        Object.defineProperty(Object.prototype, "attachEvent", {configurable: true, writable: true,
          value: function (name, handler) {
            this[name] = function (event) { window.event = event; return handler(); };
          }});
        remove(EventTarget.prototype, "addEventListener removeEventListener dispatchEvent");
        remove(Node.prototype, "textContent");
        remove(Element.prototype, "classList remove append prepend children getElementsByClassName");
        remove(HTMLElement.prototype, "dataset");
        remove(Document.prototype, "getElementsByClassName");
        remove(HTMLCanvasElement.prototype, "getContext");
        remove(window, "WebSocket EventSource fetch Promise Map Set Symbol URL getComputedStyle "
          + "requestAnimationFrame devicePixelRatio performance crypto Uint8Array matchMedia");
        remove(Array, "isArray from of");
        remove(Date, "now");
        remove(Date.prototype, "toISOString");
        remove(String.prototype, "trim startsWith endsWith includes repeat padStart padEnd");
        remove(Function.prototype, "bind");
        remove(Number, "isFinite isInteger isNaN");
        Object.keys = Object.create = Object.assign = undefined;
        remove(Array.prototype, "forEach map filter some every indexOf lastIndexOf reduce find "
          + "findIndex includes fill entries keys values");
      })();\
      """;

  @BeforeEach
  void age() {
    chromium.before(AGE);
  }

  @Test
  void showsRacesAndSensorsAsNumbers() throws Exception {
    Page page = open("");
    assertThat(page.locator("#transport")).hasText(Pattern.compile("xhr|iframe|jsonp"));
    race();
    feed.publish(RUNNER, odds(4.2));
    feed.publish("sensor/track", new JsonObject().put("value", 21.5).put("unit", "km/h"));
    assertThat(cell("name")).hasText("Silver Harbour");
    assertThat(cell("odds")).hasText("4.20");
    feed.publish(RUNNER, odds(4.6));
    assertThat(cell("change")).hasText("\u25B2 +0.40");
    assertThat(page.locator("#race-start")).containsText("2099-01-01");
    page.click("[data-view=sensors]");
    assertThat(page.locator("[data-topic='sensor/track'] [data-field=value]")).hasText("21.5");
    assertThat(page.locator("[data-topic='sensor/track'] [data-field=max]")).containsText("21.5");
    chromium.assertNoComplaints();
  }

  @Test
  void showsHistoryAsATable() throws Exception {
    JsonObject old = new JsonObject().put("topic", "plant/1").put("time", 1_000_000_000_000_000L);
    feed.history(new JsonArray().add(old.put("data", new JsonObject().put("value", 7))));
    Page page = open("?view=topics");
    feed.publish("plant/1", new JsonObject().put("value", 10));
    page.click("[data-pick='plant/1']");
    assertThat(page.locator("#topic-rows tr")).hasCount(2);
    assertThat(page.locator("#topic-rows")).containsText(Pattern.compile("2001-09-0"));
    chromium.assertNoComplaints();
  }

  @Test
  void comesBack() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(cell("odds")).hasText("4.20");
    feed.drop();
    assertEquals("3.7-2", feed.registration().getJsonObject("headers").getString("since"));
    assertThat(page.locator("#notice")).containsText("Nothing was missed");
  }
}
