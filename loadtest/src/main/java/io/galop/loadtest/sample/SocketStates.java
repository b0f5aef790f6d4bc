package io.galop.loadtest.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * In what states the sockets of some ports are, at the server's and the viewers' ends together
 * (/proc/net/tcp, proc(5); the numbers are those of the kernel's tcp_states.h).
 *
 * @param established both ends of connections in use
 * @param finWait2 ends that have said goodbye and wait for the other to do so
 * @param closeWait ends that have been told goodbye and have not answered: somebody forgot to close
 * @param timeWait ends that are done with and kept by the kernel for a minute
 */
public record SocketStates(int established, int finWait2, int closeWait, int timeWait) {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final long LOOK_EVERY_MS = 200;
  private static final SocketStates NONE = new SocketStates(0, 0, 0, 0);

  /** What is made of the lines of one table. */
  private interface Reading<T> {
    T of(BufferedReader lines) throws IOException;
  }

  private static <T> List<T> readTables(Reading<T> reading) throws IOException {
    List<T> read = new ArrayList<>();
    for (Path table : TABLES) {
      if (Files.exists(table)) {
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
          read.add(reading.of(lines));
        }
      }
    }
    return read;
  }

  /** The states now. */
  public static SocketStates of(Collection<Integer> ports) throws IOException {
    return readTables(lines -> read(lines, ports)).stream().reduce(NONE, SocketStates::plus);
  }

  static SocketStates read(BufferedReader lines, Collection<Integer> ports) throws IOException {
    int[] counts = new int[16];
    lines.readLine();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] fields = line.trim().split("\\s+", 5);
      if (ports.contains(port(fields[1])) || ports.contains(port(fields[2]))) {
        counts[Integer.parseInt(fields[3], 16) & 0xf]++;
      }
    }
    return new SocketStates(counts[1], counts[5], counts[8], counts[6]);
  }

  /** On how many of a server's connections bytes wait that the other end has not taken. */
  public static int withBytesWaiting(int port) throws IOException {
    return readTables(lines -> countWaiting(lines, port)).stream().mapToInt(n -> n).sum();
  }

  static int countWaiting(BufferedReader lines, int port) throws IOException {
    lines.readLine();
    return (int)
        lines
            .lines()
            .map(line -> line.trim().split("\\s+", 6))
            .filter(fields -> port(fields[1]) == port && fields[3].equals("01"))
            .filter(fields -> !fields[4].startsWith("00000000:"))
            .count();
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
  }

  private SocketStates plus(SocketStates other) {
    return new SocketStates(
        established + other.established,
        finWait2 + other.finWait2,
        closeWait + other.closeWait,
        timeWait + other.timeWait);
  }

  /** How many should not be there when all connections have been closed. */
  public int left() {
    return established + finWait2 + closeWait;
  }

  /** Waits until none is left, but not for ever; then says what is. */
  public static SocketStates awaitNone(Collection<Integer> ports, long seconds)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    SocketStates states = of(ports);
    while (states.left() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      states = of(ports);
    }
    return states;
  }
}
