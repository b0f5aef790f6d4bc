package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.galop.broadcast.edge.TestTokens;
import io.galop.page.Chromium;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page whose token ends while it is looked at. */
@Timeout(180)
class TokenExpiryPageIT {
  private static final int FIRST_SECONDS = 12;
  private static final LocatorAssertions.HasTextOptions PATIENTLY =
      new LocatorAssertions.HasTextOptions().setTimeout(60_000);

  @TempDir private Path directory;

  @Test
  void itComesBackWithTheNextOneIfItIsToldHowToGetOne() throws Exception {
    TestTokens tokens = TestTokens.of("HS256", directory);
    List<String> settings = new ArrayList<>();
    tokens.settings().forEach(setting -> settings.addAll(List.of("--set", setting)));
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), settings);
        Chromium chromium = Chromium.open()) {
      chromium.before(giver(tokens));
      Page page = chromium.page(node.http("/?view=topics&filter=race/%23").toString());
      assertThat(page.locator("#state")).hasText("Live");
      Await.until("it asks again", 120, () -> ((Number) page.evaluate("asked")).intValue() >= 2);
      assertThat(page.locator("#state")).hasText("Live", PATIENTLY);
    }
  }

  /** With the revoked token it would be refused for ever. */
  @Test
  void itComesBackAfterADisconnectOnlyWithAnotherToken() throws Exception {
    TestTokens tokens = TestTokens.of("HS256", directory);
    List<String> settings = new ArrayList<>();
    tokens.settings().forEach(setting -> settings.addAll(List.of("--set", setting)));
    long now = System.currentTimeMillis() / 1000;
    String dead = tokens.sign(TestTokens.claims("eve", 3600, "#").put("iat", now));
    String later = tokens.sign(TestTokens.claims("eve", 3600, "#").put("iat", now + 1800));
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), settings);
        Chromium chromium = Chromium.open()) {
      chromium.before("next = '%s'; GALOP_TOKEN = function () { return next; };".formatted(dead));
      Page stubborn = chromium.page(node.http("/?view=topics&filter=race/%23").toString());
      Page renewed = chromium.page(node.http("/?view=topics&filter=race/%23").toString());
      assertThat(stubborn.locator("#state")).hasText("Live", PATIENTLY);
      assertThat(renewed.locator("#state")).hasText("Live", PATIENTLY);
      renewed.evaluate("token => { next = token; }", later);
      URI order = node.management("/viewers/disconnect");
      Stored.post(order, "application/json", "{\"subject\":\"eve\"}");
      assertThat(stubborn.locator("#state")).hasText("Closed", PATIENTLY);
      assertThat(renewed.locator("#state")).hasText("Live", PATIENTLY);
    }
  }

  /** Gives a token that expires soon, then one that does not. */
  private static String giver(TestTokens tokens) {
    return "asked = 0; GALOP_TOKEN = function () { return asked++ ? '%s' : '%s'; };"
        .formatted(tokens.token("eve", 3600, "#"), tokens.token("eve", FIRST_SECONDS, "#"));
  }
}
