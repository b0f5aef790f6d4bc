package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A script fails, is mended, and an operator drives its dead letters again from the console: in a
 * real browser, narrow and by keyboard. Each record is shown and stored once, and the audit log
 * says who it was.
 */
@Timeout(400)
class ConsoleLettersIT {
  private static final String TOPIC = "race/1";
  private static final String ALWAYS = "odd <i>id</i>";
  private static final String MARKUP = "<img src=x onerror=\"window.hit=1\">";
  private static final String BROKEN =
      "function enrich(record) { if (record.data.bad) throw new Error('<b>boom</b>');"
          + " record.data.version = 1; return record; }\n";
  private static final String MENDED =
      "function enrich(record) { if (record.data.bad === 'always') throw new Error('still');"
          + " record.data.version = 2; return record; }\n";

  @TempDir Path directory;

  /** A viewer, and the ids of what it was shown; on the client's thread. */
  private static final class Shown implements WebSocket.Listener {
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final StringBuilder begun = new StringBuilder();

    private WebSocket open(GalopProcess node) throws Exception {
      URI uri = URI.create(node.http("/live/websocket").toString().replaceFirst("http", "ws"));
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(uri, this)
              .get(60, TimeUnit.SECONDS);
      JsonObject register = new JsonObject().put("type", "register").put("address", "race/#");
      socket.sendText(register.encode(), true).get(60, TimeUnit.SECONDS);
      return socket;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      begun.append(data);
      if (last) {
        JsonObject message = new JsonObject(begun.toString());
        begun.setLength(0);
        if (message.getString("type").equals("rec")) {
          ids.add(message.getJsonObject("body").getString("id"));
        }
      }
      from.request(1);
      return null;
    }
  }

  private static String sha256(String text) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash);
  }

  private void script(String text) throws Exception {
    Path whole = Files.writeString(directory.resolve("bad.js.whole"), text);
    Files.move(whole, directory.resolve("bad.js"), StandardCopyOption.REPLACE_EXISTING);
  }

  private GalopProcess node() throws Exception {
    script(BROKEN);
    String operators =
        "management.operators=[{name: anna, role: operator, tokenHash: '%s'}, {name: bert, role:"
                .formatted(sha256("of-anna"))
            + " viewer, tokenHash: '%s'}]".formatted(sha256("of-bert"));
    String chain = "enrich.chain=[{script: {file: bad.js, watchMs: 100, shadow: {seconds: 0}}}]";
    List<String> args =
        Stream.of("enrich.directory=" + directory, chain, operators, "persist.cold.every=1")
            .flatMap(set -> Stream.of("--set", set))
            .toList();
    return GalopProcess.run(directory.resolve("data"), List.of(), args);
  }

  private static void publish(GalopProcess node, String topic, String id, JsonObject data)
      throws Exception {
    JsonObject line = new JsonObject().put("topic", topic).put("id", id).put("data", data);
    String answer =
        Stored.post(node.http("/publish"), "application/x-ndjson", line.encode() + "\n").body();
    assertTrue(answer.contains("\"rejected\":[]"), answer);
  }

  private static List<String> stored(GalopProcess node, String topic) throws Exception {
    return Stored.get(node.http("/history/" + topic))
        .body()
        .lines()
        .map(JsonObject::new)
        .map(one -> one.getString("id") + "=" + one.getJsonObject("data").getValue("version"))
        .toList();
  }

  private void mend(GalopProcess node) throws Exception {
    script(MENDED);
    int[] probe = {0};
    Await.until(
        "the mended script is in use",
        120,
        () -> {
          publish(node, "probe", "p" + ++probe[0], new JsonObject());
          return stored(node, "probe").contains("p" + probe[0] + "=2");
        });
  }

  private static Locator rows(Page page) {
    return page.locator("#letters tbody tr");
  }

  private static Locator row(Page page, String record) {
    Locator name = page.locator("button", new Page.LocatorOptions().setHasText(record));
    return rows(page).filter(new Locator.FilterOptions().setHas(name));
  }

  private static Locator said(Page page) {
    return page.locator("dialog [role=status]");
  }

  private static void assertFits(Page page) {
    String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assertEquals(0, ((Number) page.evaluate(wide)).intValue(), "it scrolls sideways");
  }

  private static Page open(Chromium chromium, GalopProcess node, String name) {
    chromium.login(name, "of-" + name);
    Page page = chromium.page(node.management("/") + "#/letters");
    page.setViewportSize(390, 844);
    assertThat(rows(page)).hasCount(4);
    return page;
  }

  private static void enter(Page page, String selector) {
    page.focus(selector);
    page.keyboard().press("Enter");
  }

  @Test
  void lettersOfAMendedScriptAreDrivenOnce() throws Exception {
    try (Chromium chromium = Chromium.open();
        GalopProcess node = node()) {
      Shown shown = new Shown();
      WebSocket viewer = shown.open(node);
      for (int n = 1; n <= 3; n++) {
        publish(node, TOPIC, "r" + n, new JsonObject().put("bad", true).put("text", MARKUP));
      }
      publish(node, TOPIC, ALWAYS, new JsonObject().put("bad", "always"));
      onlyLooks(open(chromium, node, "bert"));
      chromium.assertNoComplaints();
      Page page = open(chromium, node, "anna");
      failsAgain(page);
      mend(node);
      drivesAllTwice(page);
      List<String> once = List.of("r1~2=2", "r2~1=2", "r3~1=2");
      assertEquals(once, stored(node, TOPIC));
      mendsOne(page);
      List<String> all = Stream.concat(once.stream(), Stream.of(ALWAYS + "~3=2")).toList();
      assertEquals(all, stored(node, TOPIC));
      List<String> ids = List.of("r1~2", "r2~1", "r3~1", ALWAYS + "~3");
      Await.until("all are shown", 120, () -> shown.ids.size() >= ids.size());
      assertEquals(ids, shown.ids, "each once");
      viewer.abort();
      Await.until(
          "all are stored",
          120,
          () ->
              Stored.cold(directory.resolve("data")).stream()
                      .filter(seen -> seen.topic().equals(TOPIC))
                      .count()
                  == 4);
      assertFits(page);
      namesWhoActed(page);
      choosesNoMoreThanAnOrderTakes(page, node);
      assertEquals(true, page.evaluate("window.hit === undefined"), "data became markup");
    }
  }

  private static void onlyLooks(Page page) {
    assertThat(page.locator("#letters-redrive")).isHidden();
    assertThat(page.locator("#letters-all")).isHidden();
    assertThat(row(page, "r2")).containsText("<b>boom</b>");
    row(page, "r2").locator("button").focus();
    page.keyboard().press("Enter");
    Locator chosen = page.locator("#letters-chosen");
    assertThat(chosen.locator("h3")).hasText("r2");
    assertThat(chosen.locator("h3")).isFocused();
    assertThat(chosen.locator(".value")).containsText(MARKUP.replace("\"", "\\\""));
    assertThat(chosen.locator("dl")).containsText("script_failed");
    assertThat(chosen.locator("dl")).containsText("r2~1");
    assertThat(chosen.locator("text=Redrive this…")).isHidden();
    assertThat(chosen.locator("text=Mend and redrive…")).isHidden();
    assertEquals(0, page.locator("#letters img, #letters b, #letters i").count(), "it is markup");
    assertFits(page);
  }

  /** The script is as it was: what the door acknowledges is a dead letter again. */
  private static void failsAgain(Page page) {
    assertThat(page.locator("#letters-redrive")).isVisible();
    assertThat(page.locator("#letters-redrive")).isDisabled();
    page.focus("[aria-label='Choose r1']");
    page.keyboard().press("Space");
    enter(page, "#letters-redrive");
    assertThat(page.locator("dialog")).containsText("Redrive 1 record");
    assertThat(page.locator("dialog")).containsText("without the publisher's token");
    assertThat(page.locator("dialog"))
        .containsText("and what steps before the one that refused it");
    assertThat(page.locator("dialog")).containsText("The audit log names you");
    enter(page, "dialog .act");
    assertThat(said(page)).containsText("Not done: acknowledged 0 of 1; script_failed: ");
    page.keyboard().press("Escape");
    assertThat(row(page, "r1")).containsText("failed again as r1~1");
    assertFits(page);
  }

  private static void drivesAllTwice(Page page) {
    page.fill("#letters-filter", "script/bad");
    page.keyboard().press("Enter");
    assertThat(rows(page)).hasCount(5);
    for (int time = 1; time <= 2; time++) {
      if (time == 1) {
        page.check("#letters-all");
      }
      page.click("#letters-redrive");
      assertThat(page.locator("dialog")).containsText("Redrive 5 records");
      enter(page, "dialog .act");
      assertThat(said(page)).containsText("Not done: acknowledged 4 of 5; script_failed: ");
      page.keyboard().press("Escape");
      assertThat(page.locator("dialog")).hasCount(0);
      assertThat(row(page, "r3")).containsText("acknowledged as r3~1");
      assertThat(row(page, ALWAYS).first()).containsText("failed again as " + ALWAYS + "~" + time);
    }
    shot(page, "letters-narrow");
  }

  private static void mendsOne(Page page) {
    row(page, ALWAYS).first().locator("button").click();
    page.click("text=Mend and redrive…");
    page.fill("#letters-data", "{\n  \"bad\": nothing\n}");
    enter(page, "dialog .act");
    assertThat(said(page)).containsText("Not done: the mended data is no valid JSON");
    assertThat(said(page)).containsText("(line 2, column ");
    page.fill("#letters-data", "{\n  \"bad\": false\n}");
    enter(page, "dialog .act");
    assertThat(said(page)).containsText("Done: 1 of 1 acknowledged");
    page.keyboard().press("Escape");
    assertThat(page.locator("#letters-chosen dl")).containsText("acknowledged as " + ALWAYS + "~");
    page.click("#letters-chosen dl a");
    assertThat(page.locator("#explain article h3")).containsText(ALWAYS + "~3 on " + TOPIC);
    page.click("#tab-letters");
  }

  private static void choosesNoMoreThanAnOrderTakes(Page page, GalopProcess node) throws Exception {
    for (int n = 0; n < 201; n++) {
      publish(node, "many/1", "m" + n, new JsonObject().put("bad", "always"));
    }
    page.click("#tab-letters");
    page.fill("#letters-filter", "script/bad");
    page.keyboard().press("Enter");
    for (int rows = 50; rows <= 200; rows += 50) {
      assertThat(rows(page)).hasCount(rows);
      page.click("text=Show older ones");
    }
    assertThat(row(page, "r1").first()).isVisible();
    page.check("#letters-all");
    assertThat(page.locator("#letters-redrive")).hasText("Redrive 200 chosen…");
    assertThat(page.locator("#letters .acts").first()).containsText("which is the most at once");
  }

  private static void namesWhoActed(Page page) {
    page.click("#tab-drills");
    Locator act = page.locator("#drills section").last().locator("tbody tr").first();
    assertThat(act).containsText("annadead-letters/redrive");
    assertThat(act).containsText("mended: {");
    assertThat(act).containsText("done, 200");
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page, String name) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      Path picture = Path.of(into, name + ".png");
      page.screenshot(new Page.ScreenshotOptions().setPath(picture).setFullPage(true));
    }
  }
}
