package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Showing records to browsers. */
public record BroadcastConfig(
    @Doc("Longest topic filter.") @Default("256") @Range(min = 1, max = 4096) int maxFilterBytes,
    @Doc("Filters per connection.") @Default("100") @Range(min = 1, max = 10_000) int maxFilters,
    @Doc("Largest message from a browser.") @Default("65536") @Range(min = 256, max = 1_048_576)
        int maxMessageBytes,
    @Doc("Browsers per node.") @Default("18000") @Range(min = 1, max = 10_000_000)
        int maxConnections,
    @Doc("Unsent bytes per connection; others wait in the node's ring.")
        @Default("65536")
        @Range(min = 4096, max = 67_108_864)
        int outboxBytes,
    @Doc(
            "Unsent bytes per websocket in the kernel (SO_SNDBUF; Linux takes twice "
                + "the memory). 0: the system's default, perhaps megabytes.")
        @Default("49152")
        @Range(min = 0, max = 67_108_864)
        int socketBytes,
    @Doc(
            "Topics whose newest value waits for a conflating connection, or whose "
                + "rate is tracked; beyond, it gets a snapshot.")
        @Default("512")
        @Range(min = 1, max = 1_000_000)
        int maxWaitingTopics,
    @Doc(
            "Time in which a connection takes nothing of a snapshot or missed records "
                + "until Galop [gives up](protocol.md#slow-connections).")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long snapshotStallMs,
    @Doc(
            "Longest time that a busy node collects records for one write; an idle "
                + "one sends at once.")
        @Default("100")
        @Range(min = 0, max = 5000)
        long maxTickMs,
    @Doc("Silence before a connection gets a heartbeat.")
        @Default("25000")
        @Range(min = 1000, max = 600_000)
        long heartbeatMs,
    @Doc("Silence of an owner until its shards count as stale; owners report every " + "second.")
        @Default("3000")
        @Range(min = 1500, max = 600_000)
        long staleAfterMs,
    @Doc(
            "Origins (https://host[:port]) of other sites whose pages may connect; "
                + "https://*.example.com allows one label, * all.")
        @Default("[]")
        List<String> origins,
    @Doc("Allowed SockJS transports.")
        @Default("[websocket, xhr-streaming, xhr-polling, eventsource, htmlfile, jsonp]")
        List<SockJsTransport> transports,
    @Doc(
            "Whether [websockets are compressed](protocol.md#compression): shared, each frame once "
                + "for all who are sent it, or off.")
        @Default("off")
        Compression compression,
    @Doc("Whether browsers get a cookie JSESSIONID for balancers.") @Default("false")
        boolean cookieNeeded,
    @Doc("How long a session without a websocket outlives its last request.")
        @Default("5000")
        @Range(min = 1000, max = 600_000)
        long disconnectDelayMs,
    @Doc("Whether browsers may register topics that start with $.") @Default("false")
        boolean showReserved,
    @Doc("Topics whose latest record is kept; beyond, the longest unchanged go.")
        @Default("1000000")
        @Range(min = 1, max = 100_000_000)
        int latestMaxTopics,
    @Doc("Bytes of these records; those also in the ring count twice.")
        @Share(part = 8, atMost = 4_294_967_296L)
        @Range(min = 65_536, max = 1_099_511_627_776L)
        long latestMaxBytes,
    @Doc(
            "Which records a [relay](nodes.md#only-what-is-watched) wants: all, or those that "
                + "its viewers watch.")
        @Default("all")
        FeedInterest interest,
    @Doc("Filters that a relay names to say what is watched; beyond, it wants everything.")
        @Default("1000")
        @Range(min = 1, max = 10_000)
        int interestMaxFilters,
    @Doc("Topics that are reported stale when silent for too long.") @Default("[]")
        List<FreshnessConfig> freshness,
    @Doc(
            "Time over which browsers leave evenly before a stop or after POST "
                + "/drain; 0: all at once.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int drainSeconds,
    @Doc("How long the node serves on, unready, before that, so that balancers " + "notice.")
        @Default("0")
        @Range(min = 0, max = 3600)
        int drainWaitSeconds,
    @Doc("A feed that is brought across a border instead of the cluster's.") LinkConfig link,
    @Doc("Clients of MQTT that subscribe.") MqttViewersConfig mqtt,
    @Doc("The newest records, for slow and returning browsers.") RingConfig ring,
    @Doc("Browsers that come back with a Position.") ResumeConfig resume,
    @Doc("The tokens of viewers.") TokenConfig token,
    @Doc("Limits for browsers.") ViewerLimitsConfig limits,
    @Doc(
            "What registrations [may ask for](access.md#caps-by-topic) at most, by topic; 1000"
                + " at most, with 16 different rates.")
        @Default("[]")
        List<CapConfig> caps,
    @Doc("Conditions that browsers set on records.") WhereConfig where) {
  private static final int MOST_CAPS = 1000;

  /** A connection keeps a table for each rate. */
  private static final int MOST_RATES = 16;

  /** How websockets are compressed for clients that offer to read it. */
  public enum Compression {
    /** Not at all. */
    OFF,
    /** Each frame by itself, once for all connections that are sent it. */
    SHARED
  }

  public BroadcastConfig {
    caps = List.copyOf(caps);
    check(caps);
    if (interest == FeedInterest.WATCHED && !link.isGiven()) {
      throw new IllegalArgumentException(
          "interest can be watched only where link.host is given: a relay says what is watched");
    }
    if (interest == FeedInterest.WATCHED && !freshness.isEmpty()) {
      throw new IllegalArgumentException(
          "freshness must be empty where interest is watched: a topic that is not sent is silent");
    }
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

  private static void check(List<CapConfig> caps) {
    if (caps.size() > MOST_CAPS) {
      throw new IllegalArgumentException(
          "caps[%d] is one too many: there may be %d".formatted(MOST_CAPS, MOST_CAPS));
    }
    Set<Double> rates = new HashSet<>();
    for (int i = 0; i < caps.size(); i++) {
      caps.get(i).maxRate().ifPresent(rates::add);
      if (rates.size() > MOST_RATES) {
        throw new IllegalArgumentException(
            "caps[%d].maxRate must be one of the rates of the caps before it: there may be %d different ones"
                .formatted(i, MOST_RATES));
      }
    }
  }

  /** Whether the node is a relay that is sent what its viewers watch only. */
  public boolean isWatched() {
    return interest == FeedInterest.WATCHED;
  }
}
