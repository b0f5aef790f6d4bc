package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/**
 * How much browsers may take of a node, besides its {@code maxConnections}. An address is an IPv4
 * address or an IPv6 /64, behind trusted proxies what they say.
 */
public record ViewerLimitsConfig(
    @Doc("Browsers per address; 0: unlimited.") @Default("0") @Range(min = 0, max = 10_000_000)
        int connectionsPerAddress,
    @Doc("New browsers per address and second; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        int newPerSecondPerAddress,
    @Doc("Filters of all browsers; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrations,
    @Doc("Filters of one address's browsers; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrationsPerAddress) {}
