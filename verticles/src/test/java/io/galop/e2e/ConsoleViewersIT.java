package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.galop.broadcast.edge.TestTokens;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Viewers of two nodes in the console of one, in a real browser: one is found among many, with its
 * losses and its last messages, and sent away.
 */
@Timeout(600)
class ConsoleViewersIT {
  private static final int MANY = 150;
  private static final String MARKUP = "<img src=x onerror=\"window.hit=1\">";

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir Path directory;

  private static String sha256(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash);
  }

  private static List<String> shared(TestTokens issuer) throws Exception {
    List<String> args = new ArrayList<>();
    issuer.settings().forEach(set -> args.addAll(List.of("--set", set)));
    String operators =
        "management.operators=[{name: anna, role: operator, tokenHash: '%s'},"
            + " {name: bert, role: viewer, tokenHash: '%s'}]";
    args.addAll(List.of("--set", "cluster.maxSilenceSeconds=60"));
    args.addAll(List.of("--set", operators.formatted(sha256("of-anna"), sha256("of-bert"))));
    return args;
  }

  /** A viewer, which may read nothing of what it is sent, and with what its connection ends. */
  private CompletableFuture<Integer> view(
      GalopProcess node, String token, String filter, boolean reads) throws Exception {
    CompletableFuture<Integer> closed = new CompletableFuture<>();
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket?token=" + token);
    WebSocket socket =
        http.newWebSocketBuilder()
            .buildAsync(
                live,
                new WebSocket.Listener() {
                  @Override
                  public void onOpen(WebSocket opened) {
                    if (reads) {
                      opened.request(Long.MAX_VALUE);
                    }
                  }

                  @Override
                  public CompletionStage<?> onClose(WebSocket ended, int code, String reason) {
                    closed.complete(code);
                    return null;
                  }
                })
            .get(60, TimeUnit.SECONDS);
    JsonObject headers = new JsonObject().put("mode", "latest");
    JsonObject register =
        new JsonObject().put("type", "register").put("address", filter).put("headers", headers);
    socket.sendText(register.encode(), true).get(60, TimeUnit.SECONDS);
    return closed;
  }

  private static void publish(GalopProcess node, String topic, int records, String text)
      throws Exception {
    JsonObject data = new JsonObject().put("text", text);
    String line = new JsonObject().put("topic", topic).put("data", data).encode() + "\n";
    String type = "application/x-ndjson";
    assertEquals(202, Stored.post(node.http("/publish"), type, line.repeat(records)).statusCode());
  }

  private static void find(Page page, String words) {
    page.fill("#viewers-words", words);
    page.press("#viewers-words", "Enter");
  }

  private static Locator rows(Page page) {
    return page.locator("#viewers-found tbody tr");
  }

  private static Locator said(Page page) {
    return page.locator("#viewers-found > [role=status]");
  }

  private static boolean isFound(Page page, String words, String status) {
    find(page, words);
    assertThat(said(page)).not().hasText("…");
    return said(page).textContent().startsWith(status);
  }

  private static void assertFits(Page page) {
    String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assertEquals(0, ((Number) page.evaluate(wide)).intValue(), "it scrolls sideways");
  }

  @Test
  void oneIsFoundLookedAtAndSentAway() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    try (Chromium chromium = Chromium.open();
        Nodes nodes = new Nodes(directory, List.of("a", "b"), shared(issuer))) {
      GalopProcess a = nodes.start("a", "ingest,enrich,persist,broadcast");
      GalopProcess b = nodes.start("b", "broadcast");
      for (int n = 0; n < MANY; n++) {
        view(n % 2 == 0 ? a : b, issuer.token("many-" + n, 3_600, "#"), "many/" + n, true);
      }
      view(b, issuer.token("slow", 3_600, "#"), "heavy/1", false);
      CompletableFuture<Integer> rita = view(b, issuer.token("rita", 3_600, "#"), "race/+", true);
      CompletableFuture<Integer> sam =
          view(a, issuer.token("<b>sam</b>", 3_600, "#"), "horse/1", true);
      chromium.login("anna", "of-anna");
      Page page = chromium.page(a.management("/#/viewers").toString());
      String all = "100 shown, 53 more with less harm, of 153 connections";
      Await.until("all are found", 120, () -> isFound(page, "", all));
      assertThat(rows(page)).hasCount(100);
      assertThat(page.locator("#viewers tbody tr")).hasCount(150); // with the slowest of the node
      Chromium.assertAtMostElements(page, 4_000);
      Await.until("one is behind", 240, () -> isBehind(page, a));
      looksAtOne(page, a);
      figuresAreOfNobodyElse(page);
      assertFits(page);
      page.setViewportSize(390, 844);
      assertFits(page);
      endsOne(page, rita);
      disconnectsOne(page, sam);
      assertEquals(0, page.locator("#viewers img, #viewers b").count(), "it is markup");
      assertEquals(true, page.evaluate("window.hit === undefined"));
      assertFits(page);
      chromium.assertNoComplaints();
      looksOnly(chromium, a, b);
    }
  }

  /** Whoever reads nothing lets newer records take the place of older ones, and is the first. */
  private static boolean isBehind(Page page, GalopProcess node) throws Exception {
    publish(node, "heavy/1", 100, "x".repeat(8_000));
    find(page, "");
    assertThat(said(page)).not().hasText("…");
    Locator first = rows(page).first().locator("td");
    return first.first().textContent().equals("slow") && !first.nth(5).textContent().equals("0");
  }

  /** By keyboard. */
  private static void looksAtOne(Page page, GalopProcess node) throws Exception {
    page.focus("#viewers-words");
    page.fill("#viewers-words", "");
    page.keyboard().type("RITA");
    page.keyboard().press("Enter");
    assertThat(said(page)).containsText("1 shown, of 153 connections");
    assertThat(rows(page)).hasCount(1);
    page.focus("#viewers-found tbody button");
    page.keyboard().press("Enter");
    Locator chosen = page.locator("#viewers-chosen");
    assertThat(chosen.locator("h3")).hasText("rita");
    assertThat(chosen.locator("h3")).isFocused();
    assertThat(chosen.locator("dl")).containsText(" at b");
    assertThat(chosen.locator("dl")).containsText("race/+");
    assertThat(chosen.locator("dl")).containsText("0 dropped, 0 gaps");
    chosen.getByText("Look at its messages…").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).containsText("They may be private. The audit log names you");
    page.locator("dialog .act").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).containsText("Done");
    page.keyboard().press("Escape");
    publish(node, "race/7", 1, MARKUP);
    assertThat(chosen.locator(".frames .value").first()).containsText("\"topic\":\"race/7\"");
    assertThat(chosen.locator(".frames .value").first()).containsText("<img src=x");
    assertThat(chosen).containsText("handed to its connection since you look; all have left");
    shot(page, "viewers-one");
    chosen.getByText("Look no longer").click();
    assertThat(chosen.locator(".frames")).isHidden();
  }

  /** Not of another node's viewer with the same id, nor of who was chosen before. */
  private static void figuresAreOfNobodyElse(Page page) {
    Locator chosen = page.locator("#viewers-chosen");
    page.route("**/viewers?by=id*", route -> route.fulfill(withTwin(route.fetch().text())));
    page.waitForResponse("**/viewers?by=id*", page.getByText("Read its figures again")::click);
    page.waitForTimeout(500);
    assertThat(chosen.locator("dl")).containsText(" at b");
    page.unroute("**/viewers?by=id*");
    AtomicReference<Route> held = new AtomicReference<>();
    page.route("**/viewers/frames", held::set);
    page.getByText("Look at its messages…").click();
    page.click("dialog .act");
    page.waitForCondition(() -> held.get() != null);
    page.keyboard().press("Escape");
    find(page, "slow");
    assertThat(rows(page)).hasCount(1);
    rows(page).locator("button").click();
    assertThat(chosen.locator("h3")).hasText("slow");
    page.waitForResponse("**/viewers/frames", () -> held.get().resume());
    page.unroute("**/viewers/frames");
    page.waitForTimeout(3_000);
    assertThat(chosen.locator("dl")).containsText("heavy/1");
    assertThat(chosen.locator(".frames")).isHidden();
    find(page, "RITA");
    assertThat(rows(page).locator("button")).hasText("rita");
    rows(page).locator("button").click();
    assertThat(chosen.locator("h3")).hasText("rita");
  }

  private static Route.FulfillOptions withTwin(String answer) {
    JsonObject found = new JsonObject(answer);
    JsonArray viewers = found.getJsonArray("viewers");
    viewers.add(0, viewers.getJsonObject(0).copy().put("node", "a"));
    return new Route.FulfillOptions().setContentType("application/json").setBody(found.encode());
  }

  private static void endsOne(Page page, CompletableFuture<Integer> rita) throws Exception {
    page.getByText("End this connection…").click();
    assertThat(page.locator("dialog")).containsText("which may come back");
    page.click("dialog .act");
    assertThat(page.locator("dialog")).containsText("Done");
    assertEquals(3012, rita.get(60, TimeUnit.SECONDS));
    page.keyboard().press("Escape");
    page.getByText("Read its figures again").click();
    assertThat(page.locator("#viewers-chosen [role=status]").first()).containsText("Gone, as of");
  }

  private static void disconnectsOne(Page page, CompletableFuture<Integer> sam) throws Exception {
    page.selectOption("#viewers-by", "topic");
    find(page, "horse/+");
    assertThat(said(page)).containsText("1 shown");
    assertThat(rows(page)).hasCount(1);
    assertThat(rows(page).locator("button")).hasText("<b>sam</b>");
    rows(page).locator("button").click();
    shot(page, "viewers-narrow");
    page.getByText("Disconnect its subject…").click();
    assertThat(page.locator("dialog")).containsText("refuse the tokens that it has now");
    page.click("dialog .act");
    assertThat(page.locator("dialog")).containsText("Done: 1 connections ended");
    assertEquals(3502, sam.get(60, TimeUnit.SECONDS));
    page.keyboard().press("Escape");
    page.selectOption("#viewers-by", "anything");
  }

  private static void looksOnly(Chromium chromium, GalopProcess a, GalopProcess b) {
    chromium.login("bert", "of-bert");
    Page page = chromium.page(a.management("/#/viewers").toString());
    assertThat(page.locator("#who")).containsText("bert (viewer)");
    find(page, "many/1");
    assertThat(said(page)).containsText("61 shown, of ");
    assertThat(said(page)).containsText("subjects are for operators");
    rows(page).first().locator("button").click();
    assertThat(page.locator("#viewers-chosen dl")).containsText("shown to operators");
    assertThat(page.locator("#viewers-chosen .acts button:visible")).hasCount(1);
    find(page, "rita");
    assertThat(said(page)).containsText("0 shown");
    b.freeze();
    try {
      find(page, "many/");
      assertThat(said(page)).containsText("no answer from b: ");
      assertThat(rows(page)).hasCount(MANY / 2);
    } finally {
      b.thaw();
    }
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
