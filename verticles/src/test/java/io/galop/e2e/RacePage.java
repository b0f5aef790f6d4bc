package io.galop.e2e;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Map;

/** The page in a headless Chromium, as somebody looks at it who follows a race. */
final class RacePage implements AutoCloseable {
  private final Chromium browser;
  private final Page page;

  private RacePage(Chromium browser, URI address) {
    this.browser = browser;
    this.page = browser.page(address.toString());
  }

  static RacePage open(URI address) {
    return new RacePage(Chromium.open(), address);
  }

  /**
   * Waits until the board shows each runner's name and last odds.
   *
   * @param last topic → the data of the runner's last record
   */
  void checkNamesAndOdds(Map<String, JsonObject> last) {
    if (last.isEmpty()) {
      throw new AssertionError("no runners to look for");
    }
    last.forEach(
        (topic, data) -> {
          check(topic, "name", data.getString("name"));
          if (data.containsKey("odds")) {
            Await.until(
                "odds of "
                    + topic
                    + " are "
                    + data.getDouble("odds")
                    + ", not "
                    + text(topic, "odds"),
                120,
                () -> Double.parseDouble(text(topic, "odds")) == data.getDouble("odds"));
          }
        });
    browser.assertNoComplaints();
  }

  private void check(String topic, String field, String expected) {
    Await.until(
        "the " + field + " of " + topic + " is " + expected + ", not " + text(topic, field),
        120,
        () -> text(topic, field).contains(expected));
  }

  private String text(String topic, String field) {
    return page.locator("tr[data-topic='%s'] [data-field='%s']".formatted(topic, field))
        .first()
        .textContent()
        .strip();
  }

  @Override
  public void close() {
    browser.close();
  }
}
