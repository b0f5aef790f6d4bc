package io.galop.config;

/**
 * How much browsers may take of a node, besides its {@code maxConnections}. An address is an IPv4
 * address or an IPv6 /64, behind trusted proxies what they say.
 */
public record ViewerLimitsConfig(
    @Doc("How many browsers may be connected from one address; 0: as many as come.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        int connectionsPerAddress,
    @Doc(
            "How many browsers may connect from one address within a second, on the average and at"
                + " once; 0: as many as come.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        int newPerSecondPerAddress,
    @Doc("How many filters all browsers together may have registered; 0: as many as come.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrations,
    @Doc("How many filters the browsers of one address may have registered; 0: as many as come.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        int registrationsPerAddress) {}
