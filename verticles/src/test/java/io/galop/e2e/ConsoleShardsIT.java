package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console of one node of two names the owner of each shard, in a real browser. */
@Timeout(600)
class ConsoleShardsIT {
  private static final int TOPICS = 12;

  @TempDir Path directory;

  /** The owner as {@code /explain} finds it, which asks all for a record of the shard. */
  private static JsonObject owner(GalopProcess node, String id) throws Exception {
    String path = "/explain?id=" + id + "&topic=owned/" + id;
    JsonObject answer = new JsonObject(Stored.get(node.management(path)).body());
    return answer.getJsonArray("records").getJsonObject(0).getJsonObject("owner");
  }

  private static long cards(Page page, String ending) {
    return page.locator(".shards strong").allTextContents().stream()
        .filter(text -> text.endsWith(ending))
        .count();
  }

  @Test
  void eachShardHasItsOwner() throws Exception {
    List<String> shared = List.of("--set", "node.shards=8");
    try (Chromium chromium = Chromium.open();
        Nodes nodes = new Nodes(directory, List.of("a", "b"), shared)) {
      GalopProcess a = nodes.start("a", "ingest,enrich,persist,broadcast");
      GalopProcess b = nodes.start("b", "ingest,enrich,persist");
      Await.until("both see both", 120, () -> Nodes.members(a).size() == 2);
      Page page = chromium.page(a.management("/").toString());
      page.click("#tab-nodes");
      assertThat(page.locator(".shards li")).hasCount(8);
      Await.until("all are owned", 120, () -> page.locator(".shards .wrong").count() == 0);
      Await.until("b owns some", 120, () -> cards(page, "→ b") > 0);
      assertThat(page.locator("#nodes")).containsText("8 of 8 shards have an owner");
      assertEachAsExplained(page, a);
      page.setViewportSize(390, 844);
      String wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      assertEquals(0, ((Number) page.evaluate(wide)).intValue(), "it scrolls sideways");
      shot(page);
      b.terminate();
      Await.until("a has all", 240, () -> cards(page, "→ a") == 8);
      assertThat(page.locator(".spread")).hasText("a: 8 (0–7)");
    }
  }

  private static void assertEachAsExplained(Page page, GalopProcess node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < TOPICS; n++) {
      lines.append("{\"topic\":\"owned/o%d\",\"id\":\"o%d\",\"data\":{}}\n".formatted(n, n));
    }
    String type = "application/x-ndjson";
    assertEquals(202, Stored.post(node.http("/publish"), type, lines.toString()).statusCode());
    Set<String> owners = new HashSet<>();
    for (int n = 0; n < TOPICS; n++) {
      JsonObject owner = owner(node, "o" + n);
      String name = owner.getJsonArray("nodes").getString(0);
      owners.add(name);
      String card = ".shards li:nth-child(%d) strong".formatted(owner.getInteger("shard") + 1);
      assertThat(page.locator(card)).hasText(owner.getInteger("shard") + " → " + name);
    }
    assertTrue(owners.size() == 2, "of both nodes: " + owners);
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      Path picture = Path.of(into, "shards-narrow.png");
      page.screenshot(new Page.ScreenshotOptions().setPath(picture).setFullPage(true));
    }
  }
}
