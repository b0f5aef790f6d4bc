package io.galop.config;

import java.util.List;

/** What this node is called and what it runs. */
public record NodeConfig(
    @Doc(
            "The node's name, unique in the cluster and kept over restarts: shards are given to"
                + " names. Empty: a random one, kept in the data directory.")
        @Default("")
        String name,
    @Doc("What the node runs.") @Default("[ingest, enrich, persist, broadcast]") List<Role> roles,
    @Doc("Where the node keeps its files.") @Default("./data") String dataDir,
    @Doc(
            "Into how many shards topics are divided. Every node of a cluster must have the same;"
                + " a Log written with another number is refused.")
        @Default("16")
        @Range(min = 1, max = 1024)
        int shards,
    @Doc("Event loops; 0 means one per processor.") @Default("0") @Range(min = 0, max = 1024)
        int eventLoops,
    @Doc(
            "What carries the bytes of all sockets: epoll (Linux), io-uring (Linux, where the"
                + " kernel allows it) or nio (anywhere). auto is epoll where there is one, else"
                + " nio.")
        @Default("auto")
        SocketTransport transport,
    @Doc(
            "A connection that anybody has opened to this node is asked whether the other end is"
                + " still there when nothing has come for so long, in seconds (TCP keep-alive), and"
                + " closed when nothing answers for as long again; 0: as the system does it.")
        @Default("60")
        @Range(min = 0, max = 32_767)
        int keepAliveSeconds,
    @Doc("How long an ordered shutdown may take, in milliseconds; then the node ends anyway.")
        @Default("10000")
        @Range(min = 0, max = 600_000)
        long shutdownTimeoutMs) {
  public NodeConfig {
    roles = List.copyOf(roles);
  }
}
