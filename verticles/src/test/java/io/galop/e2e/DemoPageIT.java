package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.galop.page.Chromium;
import io.galop.servers.Ports;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar's demo, as somebody sees it who opens the page. */
@Timeout(180)
class DemoPageIT {
  private static final Pattern ODDS = Pattern.compile("^\\d+\\.\\d\\d$");
  private static final Pattern NAME = Pattern.compile("^\\D.*[a-z].*");
  private static final Pattern STALE = Pattern.compile("is-stale");
  private static final Pattern NOT_STALE = Pattern.compile("is-(fresh|aging|old)");

  @TempDir Path dataDir;

  /** The killed node comes back there, so that nobody's connection may take it meanwhile. */
  private final int port = Ports.free();

  private Chromium chromium;
  private GalopProcess node;

  @BeforeEach
  void start() {
    chromium = Chromium.open();
    node = demo();
  }

  private GalopProcess demo() {
    return GalopProcess.demo(dataDir, List.of("--set", "http.port=" + port));
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
    chromium.close();
  }

  private Page open(String query) {
    return chromium.page(node.http("/" + query).toString());
  }

  @Test
  void showsARaceDayThatMoves() {
    Page page = open("");
    Locator row = page.locator("#runner-rows tr").first();
    assertThat(row.locator("[data-field=name]")).hasText(NAME);
    assertThat(row.locator("[data-field=odds]")).hasText(ODDS);
    assertThat(row).hasClass(NOT_STALE);
    assertThat(page.locator("#race-name")).hasText(NAME);
    assertThat(page.locator(".race-item").nth(1)).isVisible();
    assertThat(page.locator("#runner-rows .change.up, #runner-rows .change.down").nth(2))
        .hasText(Pattern.compile("[\u25B2\u25BC] [+\u2212]\\d+\\.\\d\\d"));
    String clock = page.locator("#race-clock").textContent();
    assertThat(page.locator("#race-clock")).not().hasText(clock);
    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/demo-board.png")));
    page.click("[data-view=sensors]");
    assertThat(page.locator(".card [data-field=value]").nth(1)).hasText(Pattern.compile("\\d"));
    assertThat(page.locator(".card canvas").first())
        .hasAttribute("data-points", Pattern.compile("\\d\\d+"));
    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/demo-sensors.png")));
    chromium.assertNoComplaints();
  }

  @Test
  void plotsTheHistoryOfATopic() {
    Page page = open("?view=topics&transports=xhr-polling");
    assertThat(page.locator("#transport")).hasText("xhr-polling");
    Locator sensor = page.locator("[data-pick^='sensor/']").first();
    assertThat(sensor.locator("[data-field=rate]")).hasText(Pattern.compile("[1-9]"));
    sensor.click();
    assertThat(page.locator("#topic-plot"))
        .hasAttribute("data-points", Pattern.compile("^([5-9]|\\d\\d+)$"));
    assertThat(page.locator("#topic-problem")).hasText("");
    assertThat(page.locator("#topic-json")).containsText("\"value\"");
    page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/demo-topic.png")));
    chromium.assertNoComplaints();
  }

  @Test
  void greysWhenTheNodeIsKilledAndComesBackWithoutReloading() throws Exception {
    Page page = open("");
    Locator row = page.locator("#runner-rows tr").first();
    assertThat(row).hasClass(NOT_STALE);
    chromium.assertNoComplaints();
    node.kill();
    assertThat(row).hasClass(STALE, new LocatorAssertions.HasClassOptions().setTimeout(60_000));
    assertThat(page.locator("#alarm")).containsText("Connection lost");
    node = demo();
    assertThat(page.locator("#notice")).containsText("Resumed #");
    assertThat(page.locator("#runner-rows tr").first()).hasClass(NOT_STALE);
    assertThat(page.locator("#state")).hasText("Live");
    assertTrue(page.url().contains(":" + port));
  }
}
