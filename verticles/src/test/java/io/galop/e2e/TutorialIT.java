package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.galop.servers.MariaDbServer;
import io.galop.servers.Ports;
import io.galop.servers.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * docs/tutorial.md, typed line by line into terminals of bash, with its page in a real browser and
 * a real MariaDB. Only ports differ, and {@code ./galop}, which runs the jar without building it.
 */
@Timeout(300)
class TutorialIT {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("galop.root"), "docs", "tutorial.md");
  private static final Pattern SECTION = Pattern.compile("(?ms)^## (.*?)\\n(.*?)(?=^## |\\z)");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) ?(.*?)\\n(.*?)^```$");

  private final Map<String, String> sections = new LinkedHashMap<>();
  private final Map<String, ShellTerminal> terminals = new HashMap<>();
  private final Map<String, String> ports = new LinkedHashMap<>();
  private MariaDbServer database;
  private Path directory;
  private Path checkout;

  @BeforeEach
  void open() throws Exception {
    directory = Scratch.directory("galop-tutorial");
    checkout = Files.createDirectories(directory.resolve("checkout"));
    for (MatchResult section : SECTION.matcher(Files.readString(DOCUMENT)).results().toList()) {
      sections.put(section.group(1), section.group(2));
    }
    for (String port : List.of("8080", "9090", "7000", "7700", "1883")) {
      ports.put(port, "" + Ports.free());
    }
    database = new MariaDbServer();
    database.start();
    Path launcher = checkout.resolve("galop");
    Files.writeString(launcher, launcher());
    assertTrue(launcher.toFile().setExecutable(true));
  }

  /** What {@code ./galop} does once the jar is built, with the ports of this test. */
  private String launcher() {
    String jvm = String.join(" ", QuickStart.options());
    return """
    #!/bin/bash
    export GALOP_HTTP_PORT=8080 GALOP_MANAGEMENT_PORT=9090 GALOP_INGEST_BRIDGE_PORT=7000
    export GALOP_INGEST_TCP_PORT=7700 GALOP_INGEST_MQTT_PORT=1883
    case $1 in
      publish) set -- "$@" --bridge 127.0.0.1:7000 ;;
      history | subscribe | dead-letter) set -- "$@" --url http://127.0.0.1:8080 ;;
      apply | alarm) set -- "$@" --url http://127.0.0.1:9090 ;;
    esac
    exec JAVA "$@"
    """
        .transform(this::here)
        .replace(
            "JAVA",
            Path.of(System.getProperty("java.home"), "bin", "java")
                + (" " + jvm + " -jar " + GalopProcess.jar("galop.jar").toAbsolutePath()));
  }

  @AfterEach
  void close() throws Exception {
    for (ShellTerminal terminal : terminals.values()) {
      terminal.close();
    }
    database.close();
    Scratch.delete(directory);
  }

  private String here(String text) {
    String here = text;
    for (var port : ports.entrySet()) {
      here = here.replaceAll("(?<=127\\.0\\.0\\.1:|PORT=)" + port.getKey(), port.getValue());
    }
    return here.replace(
        "host: 127.0.0.1\n", "host: 127.0.0.1\n          port: " + database.port() + "\n");
  }

  /** Does what a section says, in its order. */
  private void follow(String section) throws Exception {
    for (MatchResult block : BLOCK.matcher(sections.remove(section)).results().toList()) {
      String text = here(block.group(3));
      if (block.group(1).equals("console")) {
        type(block.group(2), text);
      } else {
        write(block.group(2), text);
      }
    }
  }

  private void write(String name, String text) throws IOException {
    boolean isMore = name.endsWith(" (appended)");
    Path file = directory.resolve("tanks").resolve(name.replace(" (appended)", ""));
    if (isMore) {
      Files.writeString(file, text, StandardOpenOption.APPEND);
    } else {
      Files.writeString(file, text);
    }
  }

  /** The last line that is typed into a terminal with a name goes on; Ctrl-C comes before it. */
  private void type(String name, String text) throws IOException {
    boolean isNew = !terminals.containsKey(name);
    if (isNew) {
      Map<String, String> store =
          Map.of("MYSQL_HOST", "127.0.0.1", "MYSQL_TCP_PORT", "" + database.port(), "USER", "root");
      Path screen = directory.resolve("screen-" + name);
      terminals.put(name, new ShellTerminal(checkout, screen, store));
    }
    ShellTerminal terminal = terminals.get(name);
    if (!name.isEmpty() && !isNew) {
      terminal.interrupt();
    }
    for (String typed : text.split("(?m)^\\$ ")) {
      List<String> lines = new ArrayList<>(typed.lines().toList());
      if (lines.isEmpty()) {
        continue;
      }
      String command = lines.remove(0);
      boolean isLasting = command.startsWith("galop run") || command.startsWith("bash tank.sh");
      if (isLasting) {
        terminal.leaveRunning(command, lines);
      } else if (command.contains("alarm list") || command.contains("SELECT")) {
        terminal.ask(command, lines);
      } else {
        terminal.run(command, lines);
      }
    }
  }

  @Test
  void everyLineDoesWhatItSays() throws Exception {
    try (Chromium chromium = Chromium.open()) {
      follow("1. Start a node");
      follow("2. Send a record");
      follow("3. Let records flow");
      follow("4. Make a page");
      Page page = chromium.page(here("http://127.0.0.1:8080/pages/"));
      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#tanks p").nth(1)).isVisible();
      assertThat(page.locator("[id='tank/2/level'] span")).hasText("tank/2/level: 900 mm");
      follow("5. Compute with a script");
      assertThat(page.locator("[id='tank/2/level'] span")).hasText("tank/2/level: 1200 mm, 60 %");
      assertThat(page.locator("[id='tank/1/level'] span")).containsText("%");
      shot(page, "tutorial-script");
      follow("6. Raise an alarm");
      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#alarm")).hasText("tank 2 is 95 % full");
      assertThat(page.locator("[id='tank/2/level']")).hasClass("old");
      assertThat(page.locator("[id='tank/1/level']")).not().hasClass("old");
      shot(page, "tutorial-alarm");
      follow("7. Look back, and store elsewhere");
      assertThat(page.locator("#state")).hasText("live");
      String tank1 = page.locator("[id='tank/1/level'] span").textContent();
      assertThat(page.locator("[id='tank/1/level'] span")).not().hasText(tank1);
    }
    sections.remove("Where to go from here");
    assertEquals(Map.of(), sections, "sections that nobody follows");
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page, String name) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(into, name + ".png")));
    }
  }
}
