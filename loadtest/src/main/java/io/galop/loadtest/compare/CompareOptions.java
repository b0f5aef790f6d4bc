package io.galop.loadtest.compare;

import io.galop.loadtest.client.ViewerTransport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare}. */
final class CompareOptions {
  @Mixin final NodeOptions node = new NodeOptions();
  @Mixin final LoadOptions load = new LoadOptions();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--servers",
      split = ",",
      defaultValue = "galop,epoll-loop,vertx-bridge,sockjs-node,socket.io",
      description =
          "The servers, in this order: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  List<ServerName> servers;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--transport",
      split = ",",
      defaultValue = "websocket",
      description =
          "The viewers' transports, one after the other: ${COMPLETION-CANDIDATES}. Servers without"
              + " a transport are left out. Default: ${DEFAULT-VALUE}.")
  List<ViewerTransport> transports;

  @Option(
      names = "--nodes",
      defaultValue = "1",
      description =
          "Nodes of Galop: the first has all roles, the others only broadcast. Default:"
              + " ${DEFAULT-VALUE}.")
  int nodes;

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "Rounds; each measures every server. Default: ${DEFAULT-VALUE}.")
  int runs;

  @Option(
      names = "--per-process",
      defaultValue = "10000",
      description =
          "Most viewers in one process; beyond, the load test starts further processes. Default:"
              + " ${DEFAULT-VALUE}.")
  int perProcess;

  @Option(
      names = "--sources",
      defaultValue = "0",
      description =
          "Loopback addresses from which viewers connect, from 127.0.0.1 on; 0: the kernel chooses."
              + " Default: ${DEFAULT-VALUE}.")
  int sources;

  @Option(
      names = "--null-server",
      description =
          "At the end run the generator at twice the rate against the epoll loop, to show that it"
              + " is not the limit.")
  boolean nullServer;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "peers.json",
      description = "File for the figures. Default: ${DEFAULT-VALUE}.")
  Path json;

  /** All that is measured in a round, in order. */
  List<Bout> bouts() {
    List<Bout> bouts = new ArrayList<>();
    for (ViewerTransport transport : transports) {
      for (ServerName server : servers) {
        if (server.speaks(transport)) {
          bouts.add(new Bout(server, transport));
        }
      }
    }
    return bouts;
  }
}
