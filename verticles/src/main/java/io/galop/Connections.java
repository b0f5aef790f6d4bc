package io.galop;

import io.galop.config.HttpConfig;
import io.galop.config.IpAddress;
import io.galop.config.TrustedProxies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many TCP connections the HTTP port holds, and from where. One per node, for all its loops.
 */
final class Connections {
  /** What becomes of a connection. */
  enum Verdict {
    WELCOME(0, ""),
    /** It does not come from a proxy, where all have to. */
    NO_PROXY(0, "no_proxy"),
    /** Its request was not whole in time. */
    LATE(0, "late"),
    FULL(503, "full"),
    ADDRESS_FULL(429, "address_full");

    private final int status;
    private final String reason;

    Verdict(int status, String reason) {
      this.status = status;
      this.reason = reason;
    }

    int status() {
      return status;
    }

    String reason() {
      return reason;
    }
  }

  private final HttpConfig config;
  private final TrustedProxies proxies;
  private final Map<Verdict, Counter> refused = new EnumMap<>(Verdict.class);
  private final AtomicInteger open = new AtomicInteger();
  private final Map<String, Integer> perAddress = new ConcurrentHashMap<>();

  Connections(HttpConfig config, MeterRegistry meters) {
    this.config = config;
    this.proxies = config.proxies();
    for (Verdict verdict : EnumSet.complementOf(EnumSet.of(Verdict.WELCOME))) {
      refused.put(verdict, counter(meters, verdict));
    }
    Gauge.builder("galop.http.connections", open, AtomicInteger::get)
        .description("Connections of the port for browsers and the http door")
        .register(meters);
  }

  /** There from the start, since whoever watches a rate misses the first of what comes late. */
  private static Counter counter(MeterRegistry meters, Verdict verdict) {
    return Counter.builder("galop.http.refused")
        .description("Connections that were not served")
        .tag("reason", verdict.reason())
        .register(meters);
  }

  /**
   * A connection was made; it has to be told to {@link #closed}, whatever becomes of it.
   *
   * @param client where it comes from, by the PROXY protocol's header if there is one
   * @param peer where it comes from in truth
   */
  Verdict opened(String client, String peer) {
    int all = open.incrementAndGet();
    int here = isCounted(client) ? perAddress.merge(site(client), 1, Integer::sum) : 0;
    Verdict verdict = verdict(all, here, peer);
    if (verdict != Verdict.WELCOME) {
      count(verdict);
    }
    return verdict;
  }

  private void count(Verdict verdict) {
    Objects.requireNonNull(refused.get(verdict), "each refusal has its counter").increment();
  }

  private Verdict verdict(int all, int here, String peer) {
    if (config.proxyProtocol() && !proxies.contains(peer)) {
      return Verdict.NO_PROXY;
    }
    if (config.maxConnections() > 0 && all > config.maxConnections()) {
      return Verdict.FULL;
    }
    return here > config.maxConnectionsPerAddress() ? Verdict.ADDRESS_FULL : Verdict.WELCOME;
  }

  private boolean isCounted(String client) {
    return config.maxConnectionsPerAddress() > 0 && !proxies.contains(client);
  }

  private static String site(String client) {
    return IpAddress.parse(client).map(IpAddress::site).orElse(client);
  }

  /** A connection is closed whose request was not whole in time. */
  void late() {
    count(Verdict.LATE);
  }

  /** The connection is no more. */
  void closed(String client) {
    open.decrementAndGet();
    if (isCounted(client)) {
      perAddress.computeIfPresent(site(client), (site, count) -> count == 1 ? null : count - 1);
    }
  }
}
