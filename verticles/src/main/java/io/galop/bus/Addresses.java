package io.galop.bus;

import io.galop.cluster.NodeAddress;

/** All addresses of the bus. Each belongs to one node: {@code galop.<node>.<lane>[.<shard>]}. */
public final class Addresses {
  /** Where the Vert.x TCP event-bus bridge hands over records to publish. */
  public static final String PUBLISH_BRIDGE = "galop-publish";

  private Addresses() {}

  static String of(String node, Lane lane) {
    return NodeAddress.of(node, lane.word());
  }

  static String of(String node, Lane lane, int shard) {
    return of(node, lane) + '.' + shard;
  }

  /** What whoever has an address of a node is asked there, as in {@code to seal shard 3}. */
  static String question(String address) {
    String[] parts = address.split("\\.");
    Lane lane = Lane.valueOf(parts[2].toUpperCase(java.util.Locale.ROOT));
    return lane.question + (parts.length > 3 ? parts[3] : "");
  }

  /** The kinds of traffic between nodes. */
  enum Lane {
    ENRICH("to enrich records of shard "),
    PERSIST("to store records of shard "),
    FOLLOW("to send what comes in shard "),
    LATEST("for the last values of shard "),
    FETCH("for records of shard "),
    PUSH("to show records to its viewers"),
    HISTORY("for records of the past"),
    SEAL("to hand over shard "),
    TOPICS("for the last values that it knows of shard "),
    OFFER("to take shard "),
    BEGUN("to note who owns shard "),
    REPLICATE("to keep a copy of shard "),
    PUBLISH("to publish records");

    private final String question;

    Lane(String question) {
      this.question = question;
    }

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
