package io.galop.bus;

import io.galop.cluster.NodeAddress;

/** All addresses of the bus. Each belongs to one node: {@code galop.<node>.<lane>[.<shard>]}. */
public final class Addresses {
  /** Where the Vert.x TCP event-bus bridge hands over records to publish. */
  public static final String PUBLISH_BRIDGE = "galop-publish";

  private static final char RELAY = '/';

  private Addresses() {}

  static String of(String node, Lane lane) {
    return NodeAddress.of(node, lane.word());
  }

  static String of(String node, Lane lane, int shard) {
    return of(node, lane) + '.' + shard;
  }

  /** Where somebody who follows shards takes what is pushed: a node, or one of its relays. */
  static String push(String follower) {
    int slash = follower.indexOf(RELAY);
    return slash < 0
        ? of(follower, Lane.PUSH)
        : of(node(follower), Lane.PUSH) + '.' + follower.substring(slash + 1);
  }

  /** The node that a follower is, or that has a link to it. */
  static String node(String follower) {
    int slash = follower.indexOf(RELAY);
    return slash < 0 ? follower : follower.substring(0, slash);
  }

  /** By which id a relay follows through a node that dials it: none of another follower. */
  static String relay(String node, int relay) {
    return node + RELAY + relay;
  }

  /** The lane of an address of a node. */
  static Lane lane(String address) {
    return Lane.valueOf(address.split("\\.")[2].toUpperCase(java.util.Locale.ROOT));
  }

  /** What whoever has an address of a node is asked there, as in {@code to seal shard 3}. */
  static String question(String address) {
    String[] parts = address.split("\\.");
    Lane lane = lane(address);
    boolean isOfShard = parts.length > 3 && lane != Lane.PUSH;
    return lane.question + (isOfShard ? parts[3] : "");
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
    PUBLISH("to publish records"),
    CLOCK("for its time"),
    DISCONNECT("to end connections of viewers"),
    DISCONNECTED("whose connections it has ended"),
    ALARMS("for its alarms"),
    REVOKE("to refuse tokens of viewers"),
    RELAYS("to tell its relays whose tokens to refuse"),
    REPORT("for a report"),
    ROLLED("for rows of roll-ups"),
    ROLLUPS("from when on it has roll-ups");

    private final String question;

    Lane(String question) {
      this.question = question;
    }

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
