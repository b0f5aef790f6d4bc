package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** What this node is called and what it runs. */
public record NodeConfig(
    @Doc(
            "The node's name, unique in the cluster and stable across restarts: "
                + "it decides the node's shards. Empty: a random one, kept in the data "
                + "directory.")
        @Default("")
        String name,
    @Doc("What the node runs.") @Default("[ingest, enrich, persist, broadcast]") List<Role> roles,
    @Doc("The node's directory.") @Default("./data") String dataDir,
    @Doc(
            "Number of shards for topics, equal on all nodes; a Log written with "
                + "another number is refused.")
        @Default("16")
        @Range(min = 1, max = 1024)
        int shards,
    @Doc("Event loops; 0: one per processor.") @Default("0") @Range(min = 0, max = 1024)
        int eventLoops,
    @Doc(
            "Socket transport: epoll (Linux), io-uring (Linux, if the kernel "
                + "allows it) or nio (anywhere). auto is epoll if available, else nio.")
        @Default("auto")
        SocketTransport transport,
    @Doc(
            "TCP keep-alive of incoming connections: silence before the first "
                + "probe, and time without an answer before the close; 0: the system's "
                + "default.")
        @Default("60")
        @Range(min = 0, max = 32_767)
        int keepAliveSeconds,
    @Doc("Time limit of an ordered shutdown; then the node ends anyway.")
        @Default("10000")
        @Range(min = 0, max = 600_000)
        long shutdownTimeoutMs) {
  public NodeConfig {
    roles = List.copyOf(roles);
  }

  /** How many event loops there are. */
  public int allEventLoops() {
    return eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
  }
}
