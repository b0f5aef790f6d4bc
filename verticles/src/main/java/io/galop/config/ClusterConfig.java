package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Secret;
import io.galop.yaml.Shown;
import java.util.List;

/** How nodes find each other. */
public record ClusterConfig(
    @Doc(
            "Hazelcast addresses (host:port) of nodes; at least one must be up. A name stands for "
                + "all its addresses, without a port for those at cluster.port. Empty: no cluster.")
        @Default("[]")
        List<String> members,
    @Doc("Only nodes with the same name join each other.") @Default("galop") String name,
    @Doc(
            "The secret of all nodes: event-bus peers must prove it, and nodes "
                + "without it cannot join. Prefer secretFile or the environment.")
        @Default("")
        @Secret
        String secret,
    @Doc("A file whose first line is the secret.") @Default("") String secretFile,
    @Doc("Largest event-bus message.")
        @Default("67108864")
        @Range(min = 1_048_576, max = 1_073_741_824)
        int maxFrameBytes,
    @Doc("The address for other nodes.") @Default("127.0.0.1") String host,
    @Doc("Hazelcast's port; 0 takes a free one.") @Default("5701") @Range(min = 0, max = 65535)
        int port,
    @Doc("The event bus's port; 0 takes a free one.") @Default("7800") @Range(min = 0, max = 65535)
        int busPort,
    @Doc("Silence after which a member counts as dead.") @Default("6") @Range(min = 3, max = 300)
        int maxSilenceSeconds,
    @Doc("Time limit of one attempt to send a Batch.")
        @Default("5000")
        @Range(min = 100, max = 60_000)
        long attemptTimeoutMs,
    @Doc("How long a Batch is offered before it is refused.")
        @Default("30000")
        @Range(min = 1_000, max = 600_000)
        long deadlineMs,
    @Doc(
            "With names only in members: how long a storing node waits at its start until each "
                + "has an address, and one has the node's own. It waits for less where another "
                + "node answers. Give more than the DNS cache keeps an answer.")
        @Default("45")
        @Range(min = 0, max = 600)
        int namesWaitSeconds,
    @Doc("Certificates on the event bus, in place of the secret or besides it.")
        ClusterTlsConfig tls) {
  public ClusterConfig {
    members = List.copyOf(members);
    if (!secret.isEmpty() && !secretFile.isEmpty()) {
      throw new IllegalArgumentException("secret must be empty where secretFile is given");
    }
  }

  /** Without the secret: a log may show any configuration. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /** Whether the node joins others. */
  public boolean isClustered() {
    return !members.isEmpty();
  }
}
