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
    @Doc("New browsers per address and second, on average and at once; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        int newPerSecondPerAddress,
    @Doc("Registered filters of all browsers together; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrations,
    @Doc("Registered filters of the browsers of one address; 0: unlimited.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrationsPerAddress) {}
