package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.galop.servers.Ports;
import io.galop.servers.Scratch;
import io.galop.servers.Signal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each of examples/ in a copy of the checkout: started by its one command, looked at in a real
 * browser, ended by Ctrl-C.
 */
@Timeout(420)
class ExamplesIT {
  private static final Path ROOT =
      Path.of(System.getProperty("galop.root")).toAbsolutePath().normalize();
  private static final List<String> NOT_COPIED =
      List.of("node_modules", "dist", "data", ".venv", "target");

  private static Path checkout;

  @BeforeAll
  static void copy() throws IOException {
    checkout = Scratch.directory("galop-examples");
    for (String part : List.of("examples", "clients/js", "webroot", "LICENSE")) {
      copy(ROOT.resolve(part), checkout.resolve(part));
    }
    // What ./test has installed by the lock files.
    link("clients/js/node_modules", "clients/js/node_modules");
    link("examples/plant/.venv", "clients/python/.venv");
    Path launcher = checkout.resolve("launcher");
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(QuickStart.options());
    java.addAll(List.of("-jar", GalopProcess.jar("galop.jar").toAbsolutePath().toString()));
    Files.writeString(launcher, "#!/bin/sh\nexec " + String.join(" ", java) + " \"$@\"\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  private static void copy(Path from, Path to) throws IOException {
    if (NOT_COPIED.contains(from.getFileName().toString())) {
      return;
    }
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    if (Files.isDirectory(from)) {
      try (Stream<Path> files = Files.list(from)) {
        for (Path file : files.toList()) {
          copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  private static void link(String from, String to) throws IOException {
    Files.createSymbolicLink(checkout.resolve(from), ROOT.resolve(to));
  }

  @AfterAll
  static void delete() {
    Scratch.delete(checkout);
  }

  /** An example that runs, on ports of its own. */
  private static final class Running implements AutoCloseable {
    private final Process run;
    private final Path output;
    private final int http = Ports.free();

    Running(String name) throws IOException {
      output = checkout.resolve(name + ".txt");
      String example = checkout.resolve("examples").resolve(name).resolve("run").toString();
      // As in ShellTerminal: whoever runs the tests may ignore Ctrl-C.
      ProcessBuilder command = new ProcessBuilder("env", "--default-signal=INT", example);
      command
          .environment()
          .putAll(
              Map.of(
                  "GALOP",
                  checkout.resolve("launcher").toString(),
                  "GALOP_HTTP_PORT",
                  "" + http,
                  "GALOP_MANAGEMENT_PORT",
                  "0",
                  "GALOP_INGEST_TCP_PORT",
                  "0",
                  "GALOP_INGEST_BRIDGE_PORT",
                  "0",
                  "GALOP_INGEST_MQTT_PORT",
                  "" + Ports.free()));
      run = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      Scratch.isUsedBy(run);
    }

    URI at(String path) {
      return URI.create("http://127.0.0.1:" + http + path);
    }

    void awaitReady() throws IOException {
      String awaited = run.info().commandLine().orElse("the example") + " is ready";
      Await.until(awaited, 240, () -> !run.isAlive() || isReady());
      if (!run.isAlive()) {
        throw new AssertionError("the example ended:\n" + text());
      }
    }

    private boolean isReady() throws IOException {
      return text().lines().anyMatch(line -> line.startsWith("galop ") && line.endsWith(" ready"));
    }

    String text() throws IOException {
      return Files.readString(output);
    }

    /** Ctrl-C: everything that the terminal has started gets the signal. */
    void interrupt() throws Exception {
      List<ProcessHandle> all = run.descendants().toList();
      all.forEach(one -> Signal.send("INT", one.pid()));
      Signal.send("INT", run.pid());
      if (!run.waitFor(120, TimeUnit.SECONDS)) {
        throw new AssertionError("still there after Ctrl-C:\n" + text());
      }
      assertEquals(130, run.exitValue(), text());
      // The script waits for those that it has started, and not for theirs.
      Await.until(
          "nothing is left behind", 60, () -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Override
    public void close() {
      List<ProcessHandle> all = run.descendants().toList();
      all.forEach(ProcessHandle::destroyForcibly);
      run.destroyForcibly();
      all.forEach(one -> one.onExit().join());
    }
  }

  @Test
  void theBettingPageShowsPricesThatMove() throws Exception {
    try (Chromium chromium = Chromium.open();
        Running example = new Running("betting")) {
      example.awaitReady();
      Page page = chromium.page(example.at("/pages/").toString());
      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#races a")).hasCount(4);
      assertThat(page.locator("#runners tr")).hasCount(8);
      String prices = page.locator("#runners").textContent();
      assertThat(page.locator("#runners")).not().hasText(prices);
      // By its address: races change places as they end and begin.
      String third = page.locator("#races a:nth-child(3)").getAttribute("href");
      Locator link = page.locator("#races a[href='" + third + "']");
      link.click();
      assertThat(link).hasClass("chosen");
      String name = link.textContent().split(",")[0];
      assertThat(page.locator("#race")).containsText(name);
      shot(page, "betting");
      chromium.assertNoComplaints();
      example.interrupt();
      assertThat(page.locator("#state")).hasText("stale: connection");
    }
  }

  @Test
  void thePlantShowsItsSensorsAndAlarms() throws Exception {
    try (Chromium chromium = Chromium.open();
        Running example = new Running("plant")) {
      example.awaitReady();
      Page page = chromium.page(example.at("/pages/").toString());
      assertThat(page.locator("#state")).hasText("live");
      assertThat(page.locator("#halls button")).hasCount(300);
      assertThat(page.locator("#halls section")).hasCount(10);
      page.locator("#hall-3 button").nth(4).click();
      assertThat(page.locator("#what")).containsText("plant/hall-3/machine-");
      String line = "document.querySelector('#plot path').getAttribute('d') || ''";
      Await.until("a line", 120, () -> page.evaluate(line).toString().contains("L"));
      String drawn = page.evaluate(line).toString();
      Await.until("it moves", 120, () -> !page.evaluate(line).toString().equals(drawn));
      // A machine that is in no other hands: its value stays, and so does its alarm.
      String hot = "{\"topic\":\"plant/hall-11/machine-1/celsius\",\"data\":{\"value\":99}}";
      var answer = Stored.post(example.at("/publish"), "application/x-ndjson", hot);
      assertEquals(202, answer.statusCode(), answer.body());
      assertThat(page.locator("#alarms")).containsText("hall-11, machine-1: 99 °C");
      assertThat(page.locator("#hall-11 button")).hasClass("stale");
      shot(page, "plant");
      chromium.assertNoComplaints();
      example.interrupt();
      assertThat(page.locator("#state")).hasText("waiting");
    }
  }

  /** For whoever wants to see it: {@code -Dgalop.pictures=DIRECTORY}. */
  private static void shot(Page page, String name) {
    String into = System.getProperty("galop.pictures");
    if (into != null) {
      page.screenshot(new Page.ScreenshotOptions().setPath(Path.of(into, name + ".png")));
    }
  }
}
