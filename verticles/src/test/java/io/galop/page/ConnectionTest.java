package io.galop.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the page says when the connection, or the feed behind it, is not well. */
@Tag("slow")
class ConnectionTest extends PageFixture {
  private static final String OTHER = "race/1.5/runner/43";
  private static final Pattern FRESH = Pattern.compile("is-fresh");
  private static final Pattern STALE = Pattern.compile("is-stale");

  @Test
  void comesBackWithItsPositionsAndSaysThatNothingWasMissed() throws Exception {
    Page page = open("");
    race();
    feed.record(RUNNER, odds(4.2), System.currentTimeMillis() * 1000, 77);
    assertThat(cell("odds")).hasText("4.20");
    feed.drop();
    JsonObject headers = feed.registration().getJsonObject("headers");
    assertEquals("3.7-77", headers.getString("since"));
    assertThat(page.locator("#notice")).containsText("complete. Nothing was missed");
    assertThat(page.locator("#reconnects")).hasText("1");
    assertThat(page.locator("#state")).hasText("Live");
    assertThat(row()).hasClass(FRESH);
  }

  /** What comes behind it on the same connection must not move a Position past it. */
  @Test
  void comesBackWhenADeltaCannotBeRead() throws Exception {
    Page page = open("");
    race();
    feed.record(RUNNER, odds(4.2), System.currentTimeMillis() * 1000, 77);
    assertThat(cell("odds")).hasText("4.20");
    feed.send("AA" + whole(78, 4.3));
    assertThat(cell("odds")).hasText("4.30");
    feed.send("ABFC2");
    feed.send("AA" + whole(80, 4.5));
    JsonObject headers = feed.registration().getJsonObject("headers");
    assertEquals("3.7-78", headers.getString("since"));
    assertThat(page.locator("#reconnects")).hasText("1");
    assertThat(cell("odds")).hasText("4.30");
  }

  private static String whole(int offset, double odds) {
    String text =
        "{\"type\":\"rec\",\"address\":\"#\",\"body\":{\"id\":\"%d\",\"time\":%d,\"data\":%s},";
    String headers = "\"headers\":{\"topic\":\"%s\",\"pos\":\"3.7-%d\"}}";
    long time = System.currentTimeMillis() * 1000;
    return (text + headers).formatted(offset, time, odds(odds).encode(), RUNNER, offset);
  }

  @Test
  void saysThatUpdatesWereMissedAndTakesTheSnapshotThatFollows() throws Exception {
    Page page = open("");
    race();
    feed.record(RUNNER, odds(4.2), System.currentTimeMillis() * 1000, 77);
    assertThat(cell("odds")).hasText("4.20");
    feed.complete(false);
    feed.silent(true);
    feed.record(RUNNER, odds(5.5), System.currentTimeMillis() * 1000, 5);
    feed.silent(false);
    feed.drop();
    assertThat(page.locator("#notice")).containsText("some updates were missed");
    assertThat(cell("odds")).hasText("5.50");
    page.click("#dismiss");
    assertThat(page.locator("#notice")).isHidden();
  }

  @Test
  void aBrokenSnapshotIsAskedForAgain() throws Exception {
    feed.late(true);
    open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(cell("odds")).hasText("4.20");
    feed.drop();
    JsonObject headers = feed.registration().getJsonObject("headers");
    assertFalse(headers.containsKey("since"), headers::encode);
    assertTrue(headers.getBoolean("snapshot"));
  }

  @Test
  void valuesAreNotBelievedBeforeTheSnapshotIsOver() throws Exception {
    feed.late(true);
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(row()).hasClass(STALE);
    assertThat(page.locator("#state")).hasText("Catching up");
    assertThat(page.locator("#alarm")).containsText("may be old");
    feed.tell("live");
    assertThat(row()).hasClass(FRESH);
    assertThat(page.locator("#alarm")).isHidden();
  }

  @Test
  void aStaleFeedGreysAndAFreshOneDoesNot() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(row()).hasClass(FRESH);
    feed.tell("stale");
    assertThat(row()).hasClass(STALE);
    assertThat(cell("age")).containsText("stale");
    assertThat(page.locator("#state")).hasText("Feed stale");
    feed.tell("fresh");
    assertThat(row()).hasClass(FRESH);
  }

  @Test
  void aTopicThatIsSilentForTooLongIsGreyedWithItsAgeUntilItIsBack() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    feed.publish(OTHER, odds(7.5));
    assertThat(row()).hasClass(FRESH);
    feed.tell("stale", RUNNER);
    assertThat(row()).hasClass(STALE);
    assertThat(cell("age")).hasText(Pattern.compile("^[0-9.]+ s stale$"));
    assertThat(page.locator("[data-topic='" + OTHER + "']")).hasClass(FRESH);
    assertThat(page.locator("#state")).hasText("Live");
    feed.tell("fresh");
    feed.publish(RUNNER, odds(4.3));
    assertThat(cell("odds")).hasText("4.30");
    assertThat(row()).hasClass(STALE);
    feed.tell("fresh", RUNNER);
    assertThat(row()).hasClass(FRESH);
  }

  @Test
  void aSnapshotOfASilentTopicIsGreyUntilItIsBack() throws Exception {
    feed.publish(RUNNER, odds(4.2));
    race();
    feed.stale(true);
    open("");
    assertThat(row()).hasClass(STALE);
    assertThat(cell("odds")).hasText("4.20");
    feed.tell("fresh", RUNNER);
    assertThat(row()).hasClass(FRESH);
  }

  @Test
  void aServerThatFallsSilentGreysWithinFiveSeconds() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(row()).hasClass(FRESH);
    assertThat(page.locator("#state")).hasText("Live");
    feed.silent(true);
    assertThat(row()).hasClass(STALE, new LocatorAssertions.HasClassOptions().setTimeout(60_000));
    assertThat(page.locator("#state")).hasText("No answer");
    feed.silent(false);
    feed.publish(RUNNER, odds(4.3));
    assertThat(row()).hasClass(FRESH);
  }

  /** Its clock goes on only when the test says so. */
  private Page slow() throws Exception {
    Page page = open("");
    page.clock().install();
    page.reload();
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(row()).hasClass(FRESH);
    page.clock().pauseAt(System.currentTimeMillis() + 3_000); // it asks
    assertThat(page.locator("#state")).hasText("Live");
    Thread.sleep(500); // and is answered
    return page;
  }

  /** The lid of a laptop was closed for two hours: what it shows is as old. */
  @Test
  void aMachineThatSleptGreysAtOnceUntilTheServerIsHeard() throws Exception {
    Page page = slow();
    feed.silent(true);
    page.clock().fastForward(7_200_000);
    page.clock().runFor(600);
    assertThat(row()).hasClass(STALE);
    assertThat(page.locator("#state")).not().hasText("Live");
    feed.silent(false);
    page.clock().resume();
    feed.publish(RUNNER, odds(4.3));
    assertThat(row()).hasClass(FRESH);
    assertThat(page.locator("#state")).hasText("Live");
  }

  /** Else it would show old values as live until the clock has caught up. */
  @Test
  void aClockThatWasSetBackHidesNoSilence() throws Exception {
    Page page = slow();
    feed.silent(true);
    long hour = 3_600_000;
    page.clock().setSystemTime(System.currentTimeMillis() - hour);
    page.clock().runFor(5_000);
    assertThat(page.locator("#state")).hasText("No answer");
    feed.close();
    while (!page.textContent("#alarm-clock").contains("next try")) {
      page.clock().runFor(100);
    }
    page.clock().setSystemTime(System.currentTimeMillis() - 2 * hour);
    page.clock().runFor(1_000);
    String said = page.textContent("#alarm-clock");
    assertTrue(said.matches("[0-9.]+ s ago, (trying|next try in [0-9.]+ s)"), said);
  }

  @Test
  void aServerThatIsGoneGreysAtOnce() throws Exception {
    Page page = open("");
    race();
    feed.publish(RUNNER, odds(4.2));
    assertThat(row()).hasClass(FRESH);
    feed.close();
    assertThat(row()).hasClass(STALE, new LocatorAssertions.HasClassOptions().setTimeout(60_000));
    assertThat(page.locator("#alarm")).containsText("Connection lost");
    assertThat(page.locator("#alarm-clock")).containsText("next try in");
    assertThat(page).hasTitle("Lost \u2013 Galop");
  }

  @Test
  void aRefusalIsShown() throws Exception {
    Page page = open("");
    feed.refuse("'a/#/b' is no filter; # stands at the end");
    assertThat(page.locator("#notice"))
        .containsText("The server says: 'a/#/b' is no filter; # stands at the end");
  }

  /** Nobody can set {@code onstate} before {@code connect} has returned. */
  @Test
  void theFirstConnectIsToldToo() throws Exception {
    Page page = open("");
    Object states =
        page.evaluate(
            """
            () => new Promise((done) => {
              const states = [], feed = Galop.connect("live");
              feed.onstate = (state) => {
                states.push(state);
                if (state === "live") {
                  feed.close();
                  done(states.join());
                }
              };
            })\
            """);
    assertEquals("connecting,live,closed", states);
  }
}
