package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;
import java.util.Optional;

/** What this node is called and what it runs. */
public record NodeConfig(
    @Doc(
            "Unique in the cluster and stable across restarts: it decides the node's "
                + "shards. Empty: a random one, kept in the data directory.")
        @Default("")
        String name,
    @Doc("What the node runs.") @Default("[ingest, enrich, persist, broadcast]") List<Role> roles,
    @Doc("The node's directory.") @Default("./data") String dataDir,
    @Doc("Number of shards, equal on all nodes; a Log with another number is " + "refused.")
        @Default("16")
        @Range(min = 1, max = 1024)
        int shards,
    @Doc("Event loops; 0: one per processor.") @Default("0") @Range(min = 0, max = 1024)
        int eventLoops,
    @Doc(
            "Socket transport: epoll and io-uring need Linux; auto is epoll if "
                + "available, else nio.")
        @Default("auto")
        SocketTransport transport,
    @Doc(
            "TCP keep-alive: silence before the first probe, and then until the "
                + "close; 0: the system's default.")
        @Default("60")
        @Range(min = 0, max = 32_767)
        int keepAliveSeconds,
    @Doc("Time limit of an ordered shutdown.") @Default("10000") @Range(min = 0, max = 600_000)
        long shutdownTimeoutMs) {
  private static final int LONGEST_NAME = 200;

  /** What stands where a text was no UTF-8. */
  private static final int REPLACEMENT = 0xfffd;

  public NodeConfig {
    roles = List.copyOf(roles);
  }

  /**
   * What a name must be, where one is not: it stands in the logs, addresses and metrics of all
   * nodes.
   */
  public static Optional<String> nameRule(String name) {
    boolean isLine = name.codePoints().allMatch(NodeConfig::isShown) && name.equals(name.strip());
    return isLine && name.length() <= LONGEST_NAME
        ? Optional.empty()
        : Optional.of(
            "must be a line of at most %d characters that can be seen, without a space at its ends"
                .formatted(LONGEST_NAME));
  }

  private static boolean isShown(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> character != REPLACEMENT;
    };
  }

  /** How many event loops there are. */
  public int allEventLoops() {
    return eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
  }
}
