package io.galop.page;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A browser, a feed of its own for each test, and one race. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageFixture {
  static final String RUNNER = "race/1.5/runner/42";

  Chromium chromium;
  FakeFeed feed;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.open();
  }

  @BeforeEach
  void start() throws Exception {
    chromium.forget();
    feed = new FakeFeed();
  }

  @AfterEach
  void stop() throws Exception {
    feed.close();
  }

  @AfterAll
  void reset() {
    if (chromium != null) {
      chromium.close();
    }
  }

  /** Opens the page and waits until it is subscribed. */
  Page open(String query) throws InterruptedException {
    page = chromium.page(feed.address(query));
    feed.registration();
    return page;
  }

  void race() {
    JsonArray runners =
        new JsonArray()
            .add(new JsonObject().put("id", 42).put("name", "Silver Harbour"))
            .add(new JsonObject().put("id", 43).put("name", "Copper Kettle"));
    feed.publish(
        "race/1.5/status",
        new JsonObject()
            .put("market", "1.5")
            .put("name", "Ascot 14:05")
            .put("status", "OPEN")
            .put("inPlay", false)
            .put("start", "2099-01-01T14:05:00.000Z")
            .put("runners", runners));
  }

  static JsonObject odds(double odds) {
    return new JsonObject().put("runner", 42).put("odds", odds).put("volume", 12345.6);
  }

  /** A cell of the runner's row. */
  Locator cell(String field) {
    return page.locator("[data-topic='" + RUNNER + "'] [data-field='" + field + "']");
  }

  Locator row() {
    return page.locator("[data-topic='" + RUNNER + "']");
  }
}
