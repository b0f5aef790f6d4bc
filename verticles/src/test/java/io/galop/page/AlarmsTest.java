package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alarms on the page, in a real browser. */
@Tag("slow")
class AlarmsTest extends PageFixture {
  private static JsonObject alarm(String id, String state, String severity) {
    return new JsonObject()
        .put("id", id)
        .put("rule", "hot")
        .put("topic", id.substring(id.indexOf('/') + 1))
        .put("state", state)
        .put("severity", severity)
        .put("text", id + " is <b>hot</b>")
        .put("since", System.currentTimeMillis() - 90_000)
        .put("changed", System.currentTimeMillis());
  }

  private static Locator row(Page page, String id) {
    return page.locator("[data-alarm='" + id + "']");
  }

  @Test
  void whereTheyMayNotBeSeenThereIsNoSuchView() throws Exception {
    Page page = open("");
    race();
    assertThat(cell("name")).hasText("Silver Harbour");
    assertThat(page.locator("#alarms-nav")).isHidden();
    assertThat(page.locator("#notice")).isHidden();
    Page asked = open("?view=alarms");
    assertThat(asked.locator("#alarms-words"))
        .hasText("Alarms are not shown here: who may see them is up to the server.");
    chromium.assertNoComplaints();
  }

  @Test
  void saysWhatItDoesNotKnowAndIsLiveAgainAfterThat() throws Exception {
    feed.showAlarms();
    feed.late(true);
    Page page = open("?view=alarms");
    assertThat(page.locator("#alarms-words")).hasText(Pattern.compile("^Not known yet"));
    feed.late(false);
    feed.drop();
    assertThat(page.locator("#alarms-words")).hasText("No alarm stands.");
    feed.alarm(alarm("hot/s/1", "unacknowledged", "high"));
    feed.tellOfAlarms("stale", new JsonObject());
    assertThat(page.locator("#alarms-words")).hasText(Pattern.compile("interrupted"));
    feed.tellOfAlarms("fresh", new JsonObject());
    assertThat(page.locator("#alarms-words")).hasText("1 alarm stands.");
    assertThat(page.locator("#state")).hasText("Live");
  }

  /** The snapshot that follows has it at the Position that it had in the one before. */
  @Test
  void anAlarmOfASnapshotThatBrokeStandsStill() throws Exception {
    feed.showAlarms();
    feed.alarm(alarm("hot/s/1", "unacknowledged", "high"));
    feed.late(true);
    Page page = open("?view=alarms");
    assertThat(row(page, "hot/s/1")).hasCount(1);
    feed.late(false);
    feed.drop();
    assertThat(page.locator("#alarms-words")).hasText("1 alarm stands.");
    assertThat(row(page, "hot/s/1")).hasCount(1);
  }

  /** What is told of one shard says nothing of the others. */
  @Test
  void aGapBehindACompleteResumeForgetsNothing() throws Exception {
    feed.showAlarms();
    feed.alarm(alarm("hot/s/1", "unacknowledged", "high"));
    Page page = open("?view=alarms");
    assertThat(page.locator("#alarms-words")).hasText("1 alarm stands.");
    assertFalse(feed.answeredOfAlarms().containsKey("since"));
    feed.late(true);
    feed.drop();
    assertTrue(feed.answeredOfAlarms().containsKey("since"));
    assertThat(page.locator("#alarms-words")).hasText(Pattern.compile("^The latest states"));
    feed.tellOfAlarms("resumed", new JsonObject().put("complete", false));
    feed.tellOfAlarms("live", new JsonObject().put("pos", "5.7-1"));
    assertThat(page.locator("#alarms-words")).hasText("1 alarm stands.");
    assertThat(row(page, "hot/s/1")).hasCount(1);
  }

  @Test
  void followsEachAlarmToItsEnd() throws Exception {
    feed.showAlarms();
    Page page = open("?view=alarms");
    assertThat(page.locator("#alarms-words")).hasText("No alarm stands.");
    feed.alarm(alarm("hot/s/1", "unacknowledged", "high"));
    assertThat(page.locator("#alarms-due")).hasText("1");
    assertThat(row(page, "hot/s/1").locator("[data-field=text]")).hasText("hot/s/1 is <b>hot</b>");
    assertThat(row(page, "hot/s/1").locator("[data-field=since]"))
        .hasText(Pattern.compile("\\d+ s"));
    feed.alarm(alarm("hot/s/1", "acknowledged", "high").put("by", "ada"));
    assertThat(row(page, "hot/s/1").locator("[data-field=state]")).hasText("acknowledged");
    assertThat(row(page, "hot/s/1").locator("[data-field=changed]"))
        .hasText(Pattern.compile(" by ada$"));
    assertThat(page.locator("#alarms-due")).hasText("");
    feed.alarm(alarm("hot/s/1", "normal", "high"));
    assertThat(page.locator("#alarms-words")).hasText("No alarm stands.");
    assertThat(row(page, "hot/s/1")).hasCount(0);
    chromium.assertNoComplaints();
  }

  @Test
  void thoseThatNobodyHasAcknowledgedComeFirstAndTheSevereBeforeOthers() throws Exception {
    feed.showAlarms();
    Page page = open("?view=alarms");
    feed.alarm(alarm("hot/seen", "acknowledged", "critical"));
    feed.alarm(alarm("hot/low", "unacknowledged", "low"));
    feed.alarm(alarm("hot/over", "returned", "critical"));
    feed.alarm(alarm("hot/high", "unacknowledged", "high"));
    assertThat(page.locator("#alarms-rows [data-field=topic]"))
        .hasText(new String[] {"high", "low", "over", "seen"});
    assertThat(page.locator("#alarms-due")).hasText("3");
  }

  @Test
  void aNewConnectionForgetsWhatHasEndedAndKeepsWhatItResumes() throws Exception {
    feed.showAlarms();
    Page page = open("?view=alarms");
    for (String id : List.of("hot/s/1", "hot/s/2")) {
      feed.alarm(alarm(id, "unacknowledged", "high"));
    }
    assertThat(page.locator("#alarms-due")).hasText("2");
    feed.drop();
    feed.registration();
    feed.alarm(alarm("hot/s/3", "unacknowledged", "high"));
    assertThat(page.locator("#alarms-words")).hasText("3 alarms stand.");
    feed.complete(false);
    feed.forgetAlarm("hot/s/1");
    feed.drop();
    feed.registration();
    assertThat(page.locator("#alarms-words")).hasText("2 alarms stand.");
    assertThat(row(page, "hot/s/1")).hasCount(0);
  }

  @Test
  void saysHowManyItDoesNotShow() throws Exception {
    feed.showAlarms();
    for (int n = 0; n < 2500; n++) {
      feed.alarm(alarm("hot/s/" + n, "unacknowledged", "high"));
    }
    Page page = open("?view=alarms");
    assertThat(page.locator("#alarms-words")).hasText("2\u2009500 alarms stand, 200 shown.");
    assertThat(page.locator("#alarms-rows tr")).hasCount(200);
    feed.complete(false);
    feed.drop();
    feed.registration();
    feed.alarm(alarm("hot/more", "unacknowledged", "high"));
    assertThat(page.locator("#alarms-words")).hasText("2\u2009501 alarms stand, 200 shown.");
    feed.alarm(alarm("hot/more", "normal", "high"));
    for (int n = 0; n < 2500; n++) {
      feed.alarm(alarm("hot/s/" + n, "normal", "high"));
    }
    assertThat(page.locator("#alarms-words")).hasText("No alarm stands.");
  }
}
