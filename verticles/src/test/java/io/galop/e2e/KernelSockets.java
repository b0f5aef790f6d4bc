package io.galop.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the kernel says that a process listens on, whatever the process says. */
final class KernelSockets {
  private static final String LISTENING = "0A";
  private static final String ESTABLISHED = "01";

  /** Which timer runs, as in the kernel's get_tcp4_sock. */
  private static final String KEEP_ALIVE = "02:";

  private KernelSockets() {}

  /** {@code address:port} of each TCP socket that a process listens on. */
  static Set<String> of(long pid) throws IOException {
    Set<String> inodes = inodes(pid);
    Set<String> listening = new TreeSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table))) {
        String[] columns = line.strip().split("\\s+");
        if (columns[3].equals(LISTENING) && inodes.contains(columns[9])) {
          listening.add(text(columns[1]));
        }
      }
    }
    return listening;
  }

  /** Of the connections that a process has at a port of its own, which the kernel keeps alive. */
  static List<Boolean> keptAlive(long pid, String port) throws IOException {
    Set<String> inodes = inodes(pid);
    List<Boolean> kept = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table))) {
        String[] columns = line.strip().split("\\s+");
        if (columns[3].equals(ESTABLISHED)
            && inodes.contains(columns[9])
            && text(columns[1]).endsWith(':' + port)) {
          kept.add(columns[5].startsWith(KEEP_ALIVE));
        }
      }
    }
    return kept;
  }

  private static Set<String> inodes(long pid) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return files
          .flatMap(KernelSockets::target)
          .filter(target -> target.startsWith("socket:["))
          .map(target -> target.substring(8, target.length() - 1))
          .collect(Collectors.toSet());
    }
  }

  private static Stream<String> target(Path file) {
    try {
      return Stream.of(Files.readSymbolicLink(file).toString());
    } catch (IOException closed) {
      return Stream.empty();
    }
  }

  /** Words of 32 bits in the order of this machine, then the port. */
  private static String text(String hex) throws IOException {
    String[] parts = hex.split(":");
    ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(parts[0]));
    ByteBuffer address = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
    while (words.hasRemaining()) {
      address.putInt(words.getInt());
    }
    String host = InetAddress.getByAddress(address.array()).getHostAddress();
    return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + Integer.parseInt(parts[1], 16);
  }
}
