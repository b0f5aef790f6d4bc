package io.galop.page;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** axe-core, which finds what breaks WCAG 2.1 A and AA in what a page shows now. */
public final class Axe {
  private static final Path SCRIPT = Path.of("src/test/node/node_modules/axe-core/axe.min.js");
  private static final String RUN =
      """
      async () => {
        const rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] };
        const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
      }
      """;

  private final String script;

  private Axe(String script) {
    this.script = script;
  }

  /** Reads it; the test is skipped where it is not installed, but fails in CI. */
  public static Axe open() throws IOException {
    String missing = "axe-core is not installed: npm ci --prefix verticles/src/test/node";
    boolean isThere = Files.exists(SCRIPT);
    assertTrue(isThere || !"true".equals(System.getenv("CI")), missing);
    assumeTrue(isThere, missing);
    return new Axe(Files.readString(SCRIPT));
  }

  /** What is wrong, each with its place; empty: nothing that it knows of. */
  @SuppressWarnings("unchecked")
  public List<String> look(Page page) {
    if (!Boolean.TRUE.equals(page.evaluate("'axe' in window"))) {
      page.evaluate(script);
    }
    return (List<String>) page.evaluate(RUN);
  }

  /** The same in light and in dark. */
  public List<String> lookInBoth(Page page, String where) {
    List<String> found = new ArrayList<>();
    for (ColorScheme colors : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colors));
      look(page).forEach(one -> found.add(where + ", " + colors + ": " + one));
    }
    return found;
  }
}
