package io.galop.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the kernel says of a process. */
record FromOutside(long pid) {
  private static final String LISTEN = "0A";
  private static final int HEX = 16;

  private Path proc(String name) {
    return Path.of("/proc/" + pid, name);
  }

  /** What each open descriptor is: a path, {@code socket:[…]} and so on. */
  Map<String, String> open() throws IOException {
    Map<String, String> open = new TreeMap<>();
    try (Stream<Path> all = Files.list(proc("fd"))) {
      for (Path each : all.toList()) {
        if (Files.isSymbolicLink(each)) {
          open.put(each.getFileName().toString(), Files.readSymbolicLink(each).toString());
        }
      }
    }
    return open;
  }

  /** The ports that its sockets listen on, of each kind ({@code tcp}, {@code udp6} …). */
  Map<String, Set<Integer>> ports() throws IOException {
    Set<String> inodes = new HashSet<>(open().values());
    Map<String, Set<Integer>> ports = new HashMap<>();
    for (String kind : List.of("tcp", "tcp6", "udp", "udp6")) {
      Set<Integer> found = new TreeSet<>();
      for (String line : Files.readAllLines(proc("net/" + kind)).stream().skip(1).toList()) {
        String[] words = line.strip().split("\\s+");
        boolean isOpen = kind.startsWith("udp") || words[3].equals(LISTEN);
        if (isOpen && inodes.contains("socket:[" + words[9] + "]")) {
          found.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), HEX));
        }
      }
      ports.put(kind, found);
    }
    return ports;
  }

  /** The names of its threads, cut off after 15 letters, and how many have each. */
  Map<String, Long> threads() throws IOException {
    try (Stream<Path> all = Files.list(proc("task"))) {
      return all.map(FromOutside::name)
          .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      // It has just ended.
      return "";
    }
  }

  /** Memory that it has of the system's, in MiB. */
  long residentMegabytes() throws IOException {
    try (Stream<String> lines = Files.lines(proc("status"))) {
      String line = lines.filter(each -> each.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
    }
  }

  /** All regular files below a directory, from there. */
  static Set<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
