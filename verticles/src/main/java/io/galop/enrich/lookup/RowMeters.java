package io.galop.enrich.lookup;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What the look-ups in a store count, under the tag {@code table}. */
public final class RowMeters {
  private static final String PREFIX = "galop.enrich.lookup.";
  final Counter hits;
  final Counter waits;
  final Counter refreshes;
  final Counter coalesced;
  final Counter timeouts;
  final Counter stale;
  final Counter refused;
  final Counter failures;
  final Timer selects;
  private final MeterRegistry registry;
  private final String table;

  public RowMeters(MeterRegistry registry, String table) {
    this.registry = registry;
    this.table = table;
    hits = counter("cache.hits", "Keys whose row was at hand");
    waits = counter("cache.misses", "Keys whose row was not at hand");
    refreshes = counter("refreshes", "Keys asked for anew before their row was too old");
    coalesced = counter("coalesced", "Keys that were being asked for already");
    timeouts = counter("timeouts", "Keys whose row did not come in time");
    stale = counter("stale", "Rows added though they were too old");
    refused = counter("refused", "Keys not asked for since too many were waiting");
    failures = counter("failures", "Selects that failed or took too long");
    selects =
        Timer.builder(PREFIX + "selects")
            .description("Selects and how long they took")
            .tag("table", table)
            .register(registry);
  }

  private Counter counter(String name, String meaning) {
    return Counter.builder(PREFIX + name)
        .description(meaning)
        .tag("table", table)
        .register(registry);
  }
}
