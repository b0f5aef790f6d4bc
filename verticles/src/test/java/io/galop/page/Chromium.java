package io.galop.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The distribution's headless Chromium. What its pages complain about is collected. */
public final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final int TIMEOUT_MS = 60_000;

  private final Playwright playwright;
  private final Browser browser;
  private BrowserContext context;
  private final List<String> complaints = new ArrayList<>();

  private Chromium(Path executable, List<String> more) {
    List<String> flags = new ArrayList<>(more);
    flags.addAll(
        List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync"));
    playwright = Playwright.create();
    PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MS);
    browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(executable).setArgs(flags));
    forget();
  }

  /** Starts it with more flags; the test is skipped where there is none. */
  public static Chromium open(String... more) {
    Optional<Path> executable = find();
    assumeTrue(executable.isPresent(), "no Chromium on the path: install the package chromium");
    return new Chromium(executable.get(), List.of(more));
  }

  private static Optional<Path> find() {
    Stream<Path> places =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(Path::of);
    return places
        .flatMap(place -> NAMES.stream().map(place::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private void onConsole(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      complaints.add(message.text());
    }
  }

  /** Opens a page and waits until its files are loaded. */
  public Page page(String address) {
    Page page = context.newPage();
    page.navigate(address);
    return page;
  }

  /** Closes all pages, and forgets what they stored and complained about. */
  public void forget() {
    begin(new Browser.NewContextOptions());
  }

  /** The same, and types a name and a password from now on where a site asks for them. */
  public void login(String name, String password) {
    begin(new Browser.NewContextOptions().setHttpCredentials(name, password));
  }

  private void begin(Browser.NewContextOptions options) {
    if (context != null) {
      context.close();
    }
    complaints.clear();
    context = browser.newContext(options.setViewportSize(1280, 900));
    context.setDefaultTimeout(TIMEOUT_MS);
    context.onConsoleMessage(this::onConsole);
    context.onWebError(error -> complaints.add(error.error()));
  }

  /** Runs a script in every page opened from now on, before the page's own. */
  public void before(String script) {
    context.addInitScript(script);
  }

  /** Console errors, warnings and uncaught exceptions so far. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** Fails if a page has more elements: what it shows of very many things has a bound. */
  public static void assertAtMostElements(Page page, int most) {
    int elements = ((Number) page.evaluate("document.querySelectorAll('*').length")).intValue();
    assertTrue(elements <= most, elements + " elements, at most " + most);
  }

  /** Fails if any page has complained. */
  public void assertNoComplaints() {
    assertEquals(List.of(), complaints);
  }

  @Override
  public void close() {
    playwright.close();
  }
}
