package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a started node has open, as the system sees it, against what docs/operations.md says: ports,
 * files, threads and memory; and that nothing of it is left when it has ended.
 */
@Timeout(240)
class FromOutsideIT {
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
  private static final Map<String, Integer> DOORS =
      Map.of("http", 8080, "tcp", 7700, "mqtt", 1883, "bridge", 7000, "management", 9090);
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|.*");
  private static final Pattern PORTS = Pattern.compile("\\| ([0-9, ]+) \\|.*");
  private static final Pattern BOUND =
      Pattern.compile("at most (\\d+) threads and (\\d+) more for each processor");
  private static final Pattern MEMORY = Pattern.compile("takes at most (\\d+) MB");
  private static final int MOST_LETTERS = 15;
  private static final long IDLE_SECONDS = 5;

  @TempDir Path directory;
  private Path work;
  private Path temporary;
  private Path home;

  @BeforeEach
  void makeDirectories() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    temporary = Files.createDirectory(directory.resolve("tmp"));
    home = Files.createDirectory(directory.resolve("home"));
  }

  private GalopProcess start() {
    List<String> ports = new ArrayList<>();
    for (String key : List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      ports.addAll(List.of("--set", key + ".port=0"));
    }
    List<String> jvm =
        List.of("-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home, "-XX:-UsePerfData");
    return GalopProcess.runIn(work, jvm, ports);
  }

  @Test
  void aNodeHasOpenWhatItsDocumentsSayAndLeavesNothing() throws Exception {
    FromOutside seen;
    Set<String> atEnd;
    try (GalopProcess node = start()) {
      seen = new FromOutside(node.pid());
      for (int i = 0; i < 100; i++) {
        Stored.post(node.http("/publish/a/" + i), "application/json", "{\"n\":" + i + "}");
      }
      assertEquals(1, Stored.history(node.http("/history/a/1")).size());
      Stored.get(node.management("/metrics"));
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      checkPorts(node, seen);
      checkFiles(seen);
      checkThreads(seen);
      checkMemory(seen);
      node.terminate();
      assertEquals(0, node.awaitExit(120), node.text());
      atEnd = FromOutside.files(directory);
    }
    assertFalse(Files.exists(Path.of("/proc/" + seen.pid())));
    for (String file : atEnd) {
      assertTrue(file.startsWith("work/data/"), file + " is left");
    }
    assertFalse(atEnd.contains("work/data/cold.sqlite-wal"), "the embedded store was not closed");
  }

  /** What the node says that it listens on, and nothing else; each has its row in the table. */
  private static void checkPorts(GalopProcess node, FromOutside seen) throws IOException {
    Set<Integer> said = new TreeSet<>();
    for (String door : DOORS.keySet()) {
      said.add(URI.create("http://" + node.address(door)).getPort());
    }
    Map<String, Set<Integer>> ports = seen.ports();
    Set<Integer> listening = new TreeSet<>(ports.get("tcp"));
    listening.addAll(ports.get("tcp6"));
    assertEquals(said, listening);
    assertEquals(Set.of(), ports.get("udp"));
    assertEquals(Set.of(), ports.get("udp6"));
    Set<Integer> documented = new TreeSet<>();
    for (String line : section("## Ports")) {
      Matcher row = PORTS.matcher(line);
      if (row.matches()) {
        for (String port : row.group(1).split(", ")) {
          documented.add(Integer.valueOf(port));
        }
      }
    }
    assertTrue(documented.containsAll(DOORS.values()), documented.toString());
  }

  private void checkFiles(FromOutside seen) throws IOException {
    List<String> strange = new ArrayList<>();
    for (Map.Entry<String, String> each : seen.open().entrySet()) {
      String what = each.getValue();
      if (what.contains("(deleted)") || what.startsWith("/") && !isKnown(what)) {
        strange.add(each.getKey() + " -> " + what);
      }
    }
    assertEquals(List.of(), strange);
    for (String file : FromOutside.files(directory)) {
      assertTrue(
          file.startsWith("work/data/") || file.startsWith("tmp/galop-process-"),
          file + " was written outside the data directory");
    }
  }

  private boolean isKnown(String path) throws IOException {
    String jdk = Path.of(System.getProperty("java.home")).toRealPath().toString();
    String jar = GalopProcess.jar("galop.jar").toRealPath().toString();
    return path.startsWith(work.toRealPath().resolve("data").toString())
        || path.startsWith(temporary.toRealPath().toString())
        || path.startsWith(jdk)
        || path.equals(jar)
        || List.of("/dev/null", "/dev/random", "/dev/urandom").contains(path);
  }

  /** Galop's own threads and those of Vert.x have names that are listed; others are the JVM's. */
  private static void checkThreads(FromOutside seen) throws IOException {
    List<String> listed = new ArrayList<>();
    for (String line : section("### What a node has open")) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.add(row.group(1));
      }
    }
    Map<String, Long> threads = seen.threads();
    Map<String, Long> unknown = new TreeMap<>(threads);
    unknown.keySet().removeIf(name -> listed.stream().anyMatch(each -> isOf(each, name)));
    assertEquals(Map.of(), unknown, "threads with names that are not listed");
    long all = threads.values().stream().mapToLong(Long::longValue).sum();
    Matcher bound = find(BOUND);
    long most =
        Long.parseLong(bound.group(1))
            + Long.parseLong(bound.group(2)) * Runtime.getRuntime().availableProcessors();
    assertTrue(all <= most, all + " threads, more than " + most + ": " + threads);
  }

  /** The system knows no more of a name than its first letters. */
  private static boolean isOf(String listed, String name) {
    for (String each : listed.split(", ")) {
      String start = each.replaceAll("…$", "");
      if (each.endsWith("…")
          ? name.startsWith(start) || start.startsWith(name) && name.length() == MOST_LETTERS
          : name.equals(each.substring(0, Math.min(MOST_LETTERS, each.length())).strip())) {
        return true;
      }
    }
    return false;
  }

  private static void checkMemory(FromOutside seen) throws IOException {
    long most = Long.parseLong(find(MEMORY).group(1));
    long resident = seen.residentMegabytes();
    assertTrue(resident <= most, resident + " MB, more than " + most);
  }

  private static Matcher find(Pattern pattern) throws IOException {
    String text = String.join(" ", section("### What a node has open"));
    Matcher found = pattern.matcher(text);
    assertTrue(found.find(), "no " + pattern + " in " + text);
    return found;
  }

  private static List<String> section(String head) throws IOException {
    List<String> lines = Files.readAllLines(OPERATIONS);
    int first = lines.indexOf(head) + 1;
    assertTrue(first > 0, head);
    int last = first;
    while (last < lines.size() && !lines.get(last).startsWith("##")) {
      last++;
    }
    return lines.subList(first, last);
  }
}
