package io.galop.config;

import java.util.List;

/** Showing records to browsers. */
public record BroadcastConfig(
    @Doc("Longest topic filter that a browser may register, in bytes.")
        @Default("256")
        @Range(min = 1, max = 4096)
        int maxFilterBytes,
    @Doc("How many filters one connection may register.")
        @Default("100")
        @Range(min = 1, max = 10_000)
        int maxFilters,
    @Doc("Largest message that a browser may send, in bytes.")
        @Default("65536")
        @Range(min = 256, max = 1_048_576)
        int maxMessageBytes,
    @Doc("How many browsers may be connected to this node.")
        @Default("18000")
        @Range(min = 1, max = 10_000_000)
        int maxConnections,
    @Doc(
            "How much may be written to one connection and not yet have left, in bytes; what comes"
                + " then waits in the node's ring.")
        @Default("65536")
        @Range(min = 4096, max = 67_108_864)
        int outboxBytes,
    @Doc(
            "How much the operating system may keep for one websocket and not yet have sent, in"
                + " bytes (SO_SNDBUF; Linux takes twice as much memory). 0 leaves it to the system,"
                + " which may take megabytes for one that does not read.")
        @Default("49152")
        @Range(min = 0, max = 67_108_864)
        int socketBytes,
    @Doc(
            "Of how many topics the newest value may wait for one connection that conflates, and"
                + " how many topics its rates are kept for. When more change while it takes"
                + " nothing, it gets a snapshot instead.")
        @Default("512")
        @Range(min = 1, max = 1_000_000)
        int maxWaitingTopics,
    @Doc(
            "A connection that takes nothing of its snapshot, or of what it missed, for so long is"
                + " sent away to come back, in milliseconds; one that conflates gets a snapshot"
                + " later instead, three times in a row.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long snapshotStallMs,
    @Doc(
            "What becomes due for a connection goes out at once while the node is idle. Under load"
                + " it waits for more, to go out in one write: at most so long, in milliseconds. 0"
                + " never waits.")
        @Default("100")
        @Range(min = 0, max = 5000)
        long maxTickMs,
    @Doc("A connection without a message for so long, in milliseconds, is sent a heartbeat.")
        @Default("25000")
        @Range(min = 1000, max = 600_000)
        long heartbeatMs,
    @Doc(
            "A shard whose owner is silent for so long, in milliseconds, is called stale; owners"
                + " give a sign of life every second.")
        @Default("3000")
        @Range(min = 1500, max = 600_000)
        long staleAfterMs,
    @Doc(
            "Origins (https://host[:port]) of pages that may connect besides those from the same"
                + " host. A label but the last may be *, for one label: https://*.example.com. *"
                + " alone lets any page connect.")
        @Default("[]")
        List<String> origins,
    @Doc("The ways in which browsers may be connected; jsonp and htmlfile are for very old ones.")
        @Default("[websocket, xhr-streaming, xhr-polling, eventsource, htmlfile, jsonp]")
        List<SockJsTransport> transports,
    @Doc(
            "Whether browsers are given a cookie JSESSIONID, for balancers that keep a browser on"
                + " one node by it.")
        @Default("false")
        boolean cookieNeeded,
    @Doc(
            "How long a session without a websocket outlives its last request, in milliseconds; a"
                + " browser that takes longer to come back begins a new one.")
        @Default("5000")
        @Range(min = 1000, max = 600_000)
        long disconnectDelayMs,
    @Doc("Whether browsers may register topics that start with $, such as the dead letters.")
        @Default("false")
        boolean showReserved,
    @Doc("For how many topics the node keeps the latest record; the longest unchanged go first.")
        @Default("1000000")
        @Range(min = 1, max = 100_000_000)
        int latestMaxTopics,
    @Doc(
            "How many bytes these records may take; beyond it the longest unchanged go. What is"
                + " also in the ring is counted twice.")
        @Share(part = 8, atMost = 4_294_967_296L)
        @Range(min = 65_536, max = 1_099_511_627_776L)
        long latestMaxBytes,
    @Doc(
            "Topics whose browsers are told when nothing new comes for too long, as a list of"
                + " filter and maxAgeMs.")
        @Default("[]")
        List<FreshnessConfig> freshness,
    @Doc(
            "Over how long browsers are sent to other nodes, evenly, before this one stops or after"
                + " POST /drain on the management port, in seconds; 0: all at once.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int drainSeconds,
    @Doc(
            "How long the node is unready before that and goes on serving, so that balancers"
                + " notice, in seconds.")
        @Default("0")
        @Range(min = 0, max = 3600)
        int drainWaitSeconds,
    @Doc("The newest records, from which slow and returning browsers read.") RingConfig ring,
    @Doc("Browsers that come back with a Position.") ResumeConfig resume,
    @Doc("What browsers have to show to see anything.") TokenConfig token,
    @Doc("How much browsers may take of a node.") ViewerLimitsConfig limits) {
  public BroadcastConfig {
    origins = List.copyOf(origins);
    transports = List.copyOf(transports);
    if (transports.isEmpty()) {
      throw new IllegalArgumentException("transports must hold one at least");
    }
    freshness = List.copyOf(freshness);
    for (int i = 0; i < origins.size(); i++) {
      try {
        OriginPattern.parse(origins.get(i));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("origins[" + i + "] " + e.getMessage(), e);
      }
    }
  }
}
