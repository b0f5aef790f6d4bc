package io.galop.loadtest.targets;

import io.galop.loadtest.targets.Target.Filters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Servers that do the same work, started out of this jar. */
public enum Peer {
  EPOLL_LOOP("epoll loop in C", Filters.NOTHING),
  EPOLL_LOOP_TLS("epoll loop in C over TLS", Filters.NOTHING),
  LOSING_LOOP("losing loop in C", Filters.NOTHING),
  VERTX_BRIDGE("vertx bridge", Filters.EACH_TOPIC),
  SOCKJS_NODE("sockjs-node", Filters.NOTHING),
  SOCKET_IO("socket.io", Filters.NOTHING);

  private static final String LOSES_EVERY = "10";

  private final String name;
  private final Filters filters;

  Peer(String name, Filters filters) {
    this.name = name;
    this.filters = filters;
  }

  /**
   * Starts it on free ports.
   *
   * @param jvmFlags for the one that runs on a JVM
   * @throws IOException if it does not start, or what it needs is missing
   */
  public Started start(List<String> jvmFlags) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int[] ports = Launch.freePorts(3);
    Path log = dir.resolve("log");
    List<String> command = new ArrayList<>(program(dir, log, jvmFlags));
    if (this == VERTX_BRIDGE) {
      command.addAll(List.of("--http-port=" + ports[0], "--tcp-port=" + ports[1]));
    } else {
      command.addAll(List.of("" + ports[0], "" + ports[1]));
    }
    if (this == LOSING_LOOP) {
      command.add(LOSES_EVERY);
    } else if (this == EPOLL_LOOP_TLS) {
      Certificate made = Certificate.make(dir);
      command.addAll(List.of("0", "" + ports[2], "" + made.certificate(), "" + made.key()));
    }
    Process process = Launch.run(command, log);
    Target target =
        new Target(
            name,
            List.of(Launch.loopback(ports[0])),
            Launch.loopback(ports[1]),
            List.of(process.pid()),
            filters);
    if (this == EPOLL_LOOP_TLS) {
      target = target.secured(List.of(Launch.loopback(ports[2])), List.of());
    }
    Started started = new Started(target, List.of(process), List.of(), () -> Leavings.delete(dir));
    Launch.awaitOk(process, ports[0], "/ready", log);
    return started;
  }

  private List<String> program(Path dir, Path log, List<String> jvmFlags)
      throws IOException, InterruptedException {
    return switch (this) {
      case EPOLL_LOOP, LOSING_LOOP -> List.of(compiled(dir, log, List.of()));
      case EPOLL_LOOP_TLS -> List.of(compiled(dir, log, List.of("-DTLS", "-lssl", "-lcrypto")));
      case VERTX_BRIDGE -> stockBridge(jvmFlags);
      case SOCKJS_NODE -> List.of("node", NodePeers.script("sockjs-node.js").toString());
      case SOCKET_IO -> List.of("node", NodePeers.script("socket-io.js").toString());
    };
  }

  private static List<String> stockBridge(List<String> jvmFlags) {
    return Launch.ownCommand(jvmFlags, "stock-bridge", List.of());
  }

  private static String compiled(Path dir, Path log, List<String> flags)
      throws IOException, InterruptedException {
    Path source = dir.resolve("fanout.c");
    Path program = dir.resolve("fanout");
    try (InputStream in = Peer.class.getResourceAsStream("/peers/epoll-loop/fanout.c")) {
      Files.copy(in, source);
    }
    List<String> command = new ArrayList<>(List.of("cc", "-O2", "-o", program.toString()));
    command.add(source.toString());
    command.addAll(flags);
    Process compiler = Launch.run(command, log);
    if (compiler.waitFor() != 0) {
      throw new IOException("the C compiler failed:\n" + Files.readString(log));
    }
    return program.toString();
  }
}
