package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;
import java.util.List;

/** Showing records to browsers. */
public record BroadcastConfig(
    @Doc("Longest topic filter that a browser may register.")
        @Default("256")
        @Range(min = 1, max = 4096)
        int maxFilterBytes,
    @Doc("Filters that one connection may register.") @Default("100") @Range(min = 1, max = 10_000)
        int maxFilters,
    @Doc("Largest message that a browser may send.")
        @Default("65536")
        @Range(min = 256, max = 1_048_576)
        int maxMessageBytes,
    @Doc("Browsers that may connect to this node.")
        @Default("18000")
        @Range(min = 1, max = 10_000_000)
        int maxConnections,
    @Doc("Unsent bytes per connection; later records wait in the node's ring.")
        @Default("65536")
        @Range(min = 4096, max = 67_108_864)
        int outboxBytes,
    @Doc(
            "Unsent bytes per websocket in the operating system (SO_SNDBUF; Linux "
                + "takes twice as much memory). 0 uses the system's default, which may "
                + "be megabytes for a stalled viewer.")
        @Default("49152")
        @Range(min = 0, max = 67_108_864)
        int socketBytes,
    @Doc(
            "Topics whose newest value may wait for a conflating connection, and "
                + "for which it tracks rates. Beyond, it gets a snapshot instead.")
        @Default("512")
        @Range(min = 1, max = 1_000_000)
        int maxWaitingTopics,
    @Doc(
            "A connection that takes nothing of its snapshot or missed records for this time is"
                + " disconnected. A conflating one gets a new snapshot, up to three times in a"
                + " row.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long snapshotStallMs,
    @Doc(
            "Longest time that a busy node collects records for one write; an "
                + "idle one sends at once. 0 never waits.")
        @Default("100")
        @Range(min = 0, max = 5000)
        long maxTickMs,
    @Doc("Silence before a connection gets a heartbeat.")
        @Default("25000")
        @Range(min = 1000, max = 600_000)
        long heartbeatMs,
    @Doc(
            "Silence of a shard's owner before the shard is called stale; owners "
                + "report every second.")
        @Default("3000")
        @Range(min = 1500, max = 600_000)
        long staleAfterMs,
    @Doc(
            "Origins (https://host[:port]) of other sites whose pages may "
                + "connect. A * may replace one label except the last: "
                + "https://*.example.com. * alone allows all.")
        @Default("[]")
        List<String> origins,
    @Doc("Allowed SockJS transports; jsonp and htmlfile are for very old browsers.")
        @Default("[websocket, xhr-streaming, xhr-polling, eventsource, htmlfile, jsonp]")
        List<SockJsTransport> transports,
    @Doc("Whether browsers get a cookie JSESSIONID for a balancer's stickiness.") @Default("false")
        boolean cookieNeeded,
    @Doc(
            "How long a session without a websocket outlives its last request; a "
                + "later browser begins a new one.")
        @Default("5000")
        @Range(min = 1000, max = 600_000)
        long disconnectDelayMs,
    @Doc("Whether browsers may register topics that start with $, such as dead letters.")
        @Default("false")
        boolean showReserved,
    @Doc("Topics whose latest record the node keeps; the longest unchanged go first.")
        @Default("1000000")
        @Range(min = 1, max = 100_000_000)
        int latestMaxTopics,
    @Doc(
            "Bytes that these records may take; beyond, the longest unchanged go. "
                + "Records also in the ring count twice.")
        @Share(part = 8, atMost = 4_294_967_296L)
        @Range(min = 65_536, max = 1_099_511_627_776L)
        long latestMaxBytes,
    @Doc(
            "Topics that are reported stale when silent for too long: a list of "
                + "filter and maxAgeMs.")
        @Default("[]")
        List<FreshnessConfig> freshness,
    @Doc(
            "Time over which browsers are sent to other nodes, evenly, before a "
                + "stop or after POST /drain on the management port; 0: all at once.")
        @Default("0")
        @Range(min = 0, max = 86_400)
        int drainSeconds,
    @Doc(
            "How long the node stays unready but serves on before that, so that "
                + "balancers notice.")
        @Default("0")
        @Range(min = 0, max = 3600)
        int drainWaitSeconds,
    @Doc("The newest records, for slow and returning browsers.") RingConfig ring,
    @Doc("Browsers that come back with a Position.") ResumeConfig resume,
    @Doc("The tokens of viewers.") TokenConfig token,
    @Doc("Limits for browsers.") ViewerLimitsConfig limits) {
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
