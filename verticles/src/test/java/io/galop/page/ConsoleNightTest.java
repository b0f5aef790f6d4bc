package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.galop.OperatedNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drills and the audit log in the console: in a real browser, narrow and by keyboard. */
@Timeout(300)
class ConsoleNightTest {
  /** A drill has half a minute and more where the machine is busy. */
  private static final LocatorAssertions.ContainsTextOptions PATIENTLY =
      new LocatorAssertions.ContainsTextOptions().setTimeout(120_000);

  private static final LocatorAssertions.IsVisibleOptions IN_TIME =
      new LocatorAssertions.IsVisibleOptions().setTimeout(60_000);

  private static final String WIDE =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  private static final String[] DRILLS = {"drills.everyMs=0", "drills.withinMs=60000"};

  @TempDir Path directory;

  private static HttpResponse<String> send(
      OperatedNode node, String path, String login, String body) throws Exception {
    URI uri = URI.create("http://" + node.address("management") + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Authorization", login);
    return HttpClient.newHttpClient()
        .send(
            (body.isEmpty() ? request : request.POST(BodyPublishers.ofString(body))).build(),
            BodyHandlers.ofString());
  }

  @Test
  void anOperatorBeginsADrillAndReadsWhoActed() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory, DRILLS);
        Chromium chromium = Chromium.open()) {
      String markup = "{\"subject\":\"<b>night</b>\"}";
      assertEquals(
          409, send(node, "/viewers/disconnect", OperatedNode.OPERATOR, markup).statusCode());
      chromium.login("anna", "of-anna");
      Page page = chromium.page("http://" + node.address("management") + "/#/drills");
      page.setViewportSize(390, 844);
      assertThat(page.locator("text=Begin a drill…")).isVisible(IN_TIME);
      assertThat(page.locator("#drills")).containsText("No drill has ended", PATIENTLY);
      assertThat(page.locator("#drills")).containsText("subject: <b>night</b>", PATIENTLY);
      assertEquals(0, page.locator("#drills b").count(), "text of an act became markup");
      page.focus("text=Begin a drill…");
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog")).containsText("The audit log names you");
      page.selectOption("#fault", "doubled");
      page.focus("dialog .act");
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog [role=status]")).containsText("drill 1 passed", PATIENTLY);
      page.keyboard().press("Escape");
      Locator drill = page.locator("#drills section").first().locator("tbody tr");
      assertThat(drill).containsText(Pattern.compile("passed\\s*doubled\\s*yes"), PATIENTLY);
      Locator act = page.locator("#drills section").last().locator("tbody tr").first();
      assertThat(act).containsText("annadrills; fault: doubleddone, 200", PATIENTLY);
      assertEquals(0, ((Number) page.evaluate(WIDE)).intValue(), "it scrolls sideways");
      chromium.assertNoComplaints();
      saysWhereADrillFailed(page);
    }
  }

  /** A node that works has none. */
  private static void saysWhereADrillFailed(Page page) {
    String failed =
        """
        {"node":"n","everyMs":0,"drills":[{"drill":7,"time":"2026-11-28T03:00:00Z","tookMs":5,
         "door":"http","viewers":["websocket"],"fault":"late","detected":false,"passed":false,
         "relays":[{"relay":"r1","node":"n","state":"failed","failed":["xhr"]}],
         "failures":[{"stage":"stores","why":"store <b>s</b> lacks it","meaning":"look there"}]}]}
        """;
    page.route("**/drills", one -> one.fulfill(new FulfillOptions().setBody(failed)));
    Locator drill = page.locator("#drills section").first().locator("tbody tr");
    assertThat(drill).containsText("FAILED at stores", PATIENTLY);
    assertThat(drill).containsText("lateNOstores: store <b>s</b> lacks it (look there)");
    assertThat(drill).containsText("r1: failed (xhr)");
    assertEquals(0, page.locator("#drills b").count(), "text of a drill became markup");
  }

  @Test
  void aViewerLooksAtDrillsAndIsToldWhatHeMayNot() throws Exception {
    try (OperatedNode node = OperatedNode.start(directory, DRILLS);
        Chromium chromium = Chromium.open()) {
      for (String body : List.of("", "{}")) {
        String path = body.isEmpty() ? "/audit" : "/drills";
        HttpResponse<String> refused = send(node, path, OperatedNode.VIEWER, body);
        assertEquals(403, refused.statusCode(), path);
        assertTrue(refused.body().contains("role_viewer"), refused.body());
      }
      chromium.login("bert", "of-bert");
      Page page = chromium.page("http://" + node.address("management") + "/#/drills");
      assertThat(page.locator("#drills")).containsText("No drill has ended", PATIENTLY);
      assertThat(page.locator("#drills")).containsText("takes the role operator", PATIENTLY);
      assertThat(page.locator("#drills")).containsText("Who did what is for operators", PATIENTLY);
      assertThat(page.locator("#drills button")).isHidden();
      chromium.assertNoComplaints();
    }
  }
}
