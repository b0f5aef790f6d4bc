package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node under modest load names what was made slow within ten seconds: the disk, a script, a
 * viewer, one after the other. How many seconds that takes is printed.
 *
 * <p>Its measures are medians of nine seconds, so that as many as five of them have to be slow,
 * which leaves five for the fault to take hold. A machine that stands still meanwhile takes these,
 * and says nothing about the node: each fault is planted up to three times, and one in time will
 * do.
 */
@Tag("alone")
@Timeout(600)
class HeadroomIT {
  private static final int WAIT_SECONDS = 60;
  private static final double NAMED_SECONDS = 10;
  private static final int TRIES = 3;

  private static final int RECORDS = 10;
  private static final int PAUSE_MS = 100;
  private static final String SCRIPT =
      """
      function enrich(record) {
        if (record.data.kind === 'slow') {
          for (const end = Date.now() + 8; Date.now() < end; ) { }
        }
        return record
      }
      """;

  @TempDir Path directory;
  private volatile String kind = "quick";
  private volatile boolean isOver;

  private GalopProcess start() throws Exception {
    Path library = directory.resolve("disk-fault.so");
    DiskFault.compile(library);
    Path script = Files.writeString(directory.resolve("slow.js"), SCRIPT);
    Path data = directory.resolve("data");
    Map<String, String> environment =
        Map.of(
            "LD_PRELOAD", library.toString(),
            "DISK_FAULT_FILES", data.resolve("log") + "/",
            "DISK_FAULT_ARM", directory.resolve("armed").toString(),
            "DISK_FAULT_SLOW", directory.resolve("slow").toString(),
            "DISK_FAULT_NOTES", directory.resolve("notes").toString());
    List<String> settings =
        List.of(
            "--set",
            "enrich.chain=[{script: {file: '" + script + "'}}]",
            "--set",
            "node.eventLoops=2");
    return GalopProcess.run(data, List.of(), environment, settings);
  }

  private void publish(URI door) {
    String pad = "x".repeat(1_000);
    try {
      for (int n = 0; !isOver; n++) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < RECORDS; i++) {
          String line = "{\"topic\":\"a/0\",\"data\":{\"n\":%d,\"kind\":\"%s\",\"pad\":\"%s\"}}\n";
          lines.append(line.formatted(n, kind, pad));
        }
        Stored.post(door, "application/x-ndjson", lines.toString());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks for all records, and reads none of them. */
  private static Socket frozen(URI stream) throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.connect(new InetSocketAddress(stream.getHost(), stream.getPort()));
    String request =
        "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: application/x-ndjson\r\n\r\n"
            .formatted(stream.getRawPath(), stream.getAuthority());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static JsonObject headroom(GalopProcess node) throws Exception {
    JsonObject all = new JsonObject(Stored.get(node.management("/headroom")).body());
    return all.getJsonArray("nodes").getJsonObject(0);
  }

  private static boolean isNamedByStatus(GalopProcess node, String stage) throws Exception {
    JsonObject status = new JsonObject(Stored.get(node.management("/status")).body());
    return stage.equals(status.getJsonObject("headroom").getString("next"));
  }

  private static boolean isNamedByCommand(GalopProcess node, String stage) throws Exception {
    String shown = Cli.ok("headroom", "--url", node.management("").toString());
    return shown.contains(" % used; next: " + stage + " (") && shown.contains("  door ");
  }

  private static boolean isNextBut(GalopProcess node, String stage) throws Exception {
    JsonObject headroom = headroom(node);
    return headroom.containsKey("next") && !stage.equals(headroom.getString("next"));
  }

  private static double secondsUntilNamed(GalopProcess node, String stage) throws Exception {
    long beganNs = System.nanoTime();
    try {
      Await.until(stage, WAIT_SECONDS, () -> stage.equals(headroom(node).getString("next")));
    } catch (AssertionError late) {
      throw new AssertionError(headroom(node).encode(), late);
    }
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    System.out.printf("headroom: %s is named after %.1f s%n", stage, seconds);
    return seconds;
  }

  /** How a fault that was planted is lifted. */
  private interface Planted {
    void lift() throws Exception;
  }

  /** Leaves the fault planted, once it was named in time. */
  private static Planted plant(GalopProcess node, String stage, Callable<Planted> fault)
      throws Exception {
    for (int i = 0; i < TRIES; i++) {
      Await.until("something else is next", WAIT_SECONDS, () -> isNextBut(node, stage));
      Planted planted = fault.call();
      if (secondsUntilNamed(node, stage) <= NAMED_SECONDS) {
        return planted;
      }
      planted.lift();
    }
    throw new AssertionError(stage + " is not named within " + NAMED_SECONDS + " s");
  }

  private Planted slowDisk() throws Exception {
    Path slow = Files.createFile(directory.resolve("slow"));
    return () -> Files.delete(slow);
  }

  private Planted slowScript() {
    kind = "slow";
    return () -> kind = "quick";
  }

  @Test
  void namesWhatWasMadeSlow() throws Exception {
    Process reader = null;
    try (GalopProcess node = start()) {
      URI stream = node.http("/stream/%23");
      reader =
          new ProcessBuilder(
                  "curl",
                  "-sN",
                  "-H",
                  "Accept: application/x-ndjson",
                  "-o",
                  "/dev/null",
                  stream.toString())
              .start();
      Thread publisher = new Thread(() -> publish(node.http("/publish")), "publisher");
      publisher.start();
      plant(node, "log", this::slowDisk).lift();
      plant(node, "enrich", this::slowScript).lift();
      Planted viewer = plant(node, "broadcast", () -> frozen(stream)::close);
      assertShown(node);
      viewer.lift();
      isOver = true;
      publisher.join();
    } finally {
      isOver = true;
      if (reader != null) {
        reader.destroy();
      }
    }
  }

  /** The same at each place where people and programs look. */
  private static void assertShown(GalopProcess node) throws Exception {
    Await.until("the status names it", WAIT_SECONDS, () -> isNamedByStatus(node, "broadcast"));
    String metrics = Stored.get(node.management("/metrics")).body();
    assertTrue(metrics.contains("galop_utilisation{stage=\"broadcast\"} "), metrics);
    assertTrue(metrics.contains("galop_persist_log_full_in_seconds "), metrics);
    Await.until("the command names it", WAIT_SECONDS, () -> isNamedByCommand(node, "broadcast"));
  }
}
