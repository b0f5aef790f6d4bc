package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.galop.page.Axe;
import io.galop.page.Chromium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What breaks WCAG A or AA on the tabs of the console and the views of the page: nothing. */
@Timeout(600)
class AccessibleIT {
  /** Of the token {@code abc}; from FIPS 180. */
  private static final String HASH =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final String RULES =
      "alarms.rules=[{name: any, topics: sensor/#, text: 'hot {topic}', severity: high,"
          + " when: {limit: {field: value, above: -1000000}}}]";

  @TempDir Path directory;

  private GalopProcess node() {
    String operators = "management.operators=[{name: anna, role: operator, tokenHash: '%s'}]";
    return GalopProcess.demo(
        directory,
        List.of(
            "--set",
            operators.formatted(HASH),
            "--set",
            RULES,
            "--set",
            "broadcast.showReserved=true"));
  }

  private static void assertClean(List<String> found) {
    assertTrue(found.isEmpty(), () -> found.size() + " found:\n" + String.join("\n", found));
  }

  @Test
  void theConsoleHasNoViolation() throws Exception {
    Axe axe = Axe.open();
    try (Chromium chromium = Chromium.open();
        GalopProcess node = node()) {
      chromium.login("anna", "abc");
      Page page = chromium.page(node.management("/").toString());
      assertThat(page.locator("#who")).containsText("anna (operator)");
      assertThat(page.locator("#overview tbody tr").first()).isVisible();
      assertThat(page.locator("body.stale")).hasCount(0);
      List<String> found = new ArrayList<>();
      for (String tab : tabs(page)) {
        page.click("#" + tab);
        fill(page, node, tab);
        found.addAll(axe.lookInBoth(page, tab));
        page.setViewportSize(390, 844);
        found.addAll(axe.lookInBoth(page, tab + " at 390 px"));
        page.setViewportSize(1280, 900);
      }
      page.getByText("Drain this node…").click();
      found.addAll(axe.lookInBoth(page, "a dialog"));
      assertFaultsAreFound(axe, page);
      page.keyboard().press("Escape");
      node.kill();
      page.click("#tab-overview");
      assertThat(page.locator("body.stale")).hasCount(1);
      found.addAll(axe.lookInBoth(page, "old figures"));
      assertClean(found);
    }
  }

  private static List<String> tabs(Page page) {
    List<String> tabs = new ArrayList<>();
    for (Locator tab : page.locator("[role=tab]").all()) {
      tabs.add(tab.getAttribute("id"));
    }
    assertTrue(tabs.size() >= 10, tabs::toString);
    return tabs;
  }

  /** An empty tab shows little that could be wrong. */
  private static void fill(Page page, GalopProcess node, String tab) throws Exception {
    switch (tab) {
      case "tab-viewers" -> {
        PresenceIT.view(node, "sensor/#");
        Await.until("the viewer is there", 120, () -> isFound(page));
        page.click("#viewers-found tbody button");
        page.getByText("Look at its messages…").click();
        page.click("dialog .act");
        assertThat(page.locator("dialog")).containsText("Done");
        page.keyboard().press("Escape");
        assertThat(page.locator("#viewers .frames li").first()).isVisible();
      }
      case "tab-topics" -> {
        page.fill("#topics-words", "sensor/");
        page.press("#topics-words", "Enter");
        page.locator("#topics tbody button").first().click();
        assertThat(page.locator("#topics-chosen figure")).isVisible();
      }
      case "tab-alarms" -> assertThat(page.locator("#alarms tbody tr").first()).isVisible();
      case "tab-counters" -> assertThat(page.locator("#counters tbody tr").first()).isVisible();
      default -> assertThat(page.locator("#" + tab.substring("tab-".length()))).isVisible();
    }
  }

  private static boolean isFound(Page page) {
    page.fill("#viewers-words", "sensor/");
    page.press("#viewers-words", "Enter");
    assertThat(page.locator("#viewers-found > [role=status]")).not().hasText("…");
    return page.locator("#viewers-found tbody tr").count() == 1;
  }

  /** Else nothing that is found would mean nothing. */
  private static void assertFaultsAreFound(Axe axe, Page page) {
    page.evaluate(
        "document.querySelector('dialog').insertAdjacentHTML('beforeend',"
            + " '<p id=\"pale\" class=\"skip\">pale words</p><input id=\"nameless\">')");
    page.evaluate("document.getElementById('pale').className = ''");
    page.evaluate("document.getElementById('pale').style.color = 'rgb(150 150 150 / 40%)'");
    List<String> found = axe.look(page);
    assertEquals(2, found.size(), found::toString);
    assertTrue(found.toString().contains("color-contrast: #pale"), found::toString);
    assertTrue(found.toString().contains("label: #nameless"), found::toString);
  }

  @Test
  void thePageHasNoViolation() throws Exception {
    Axe axe = Axe.open();
    try (Chromium chromium = Chromium.open();
        GalopProcess node = node()) {
      Page page = chromium.page(node.http("/").toString());
      assertThat(page.locator("#runner-rows tr").first()).isVisible();
      List<String> found = new ArrayList<>(axe.lookInBoth(page, "races"));
      page.click("[data-view=sensors]");
      assertThat(page.locator(".card [data-field=value]").nth(1)).isVisible();
      found.addAll(axe.lookInBoth(page, "sensors"));
      page.click("[data-view=topics]");
      page.locator("[data-pick^='sensor/']").first().click();
      assertThat(page.locator("#topic-card")).isVisible();
      found.addAll(axe.lookInBoth(page, "topics"));
      page.click("[data-view=alarms]");
      assertThat(page.locator("#view-alarms")).isVisible();
      found.addAll(axe.lookInBoth(page, "alarms"));
      page.setViewportSize(390, 844);
      for (String view : List.of("races", "sensors", "topics", "alarms")) {
        page.click("[data-view=" + view + "]");
        assertThat(page.locator("#view-" + view)).isVisible();
        found.addAll(axe.lookInBoth(page, view + " at 390 px"));
      }
      page.setViewportSize(1280, 900);
      page.click("[data-view=races]");
      node.kill();
      assertThat(page.locator("#runner-rows tr.is-stale").first()).isVisible();
      found.addAll(axe.lookInBoth(page, "stale races"));
      page.click("[data-view=sensors]");
      assertThat(page.locator(".card.is-stale").first()).isVisible();
      found.addAll(axe.lookInBoth(page, "stale sensors"));
      assertClean(found);
    }
  }
}
