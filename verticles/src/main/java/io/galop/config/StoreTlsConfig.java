package io.galop.config;

/** TLS to a store. */
public record StoreTlsConfig(
    @Doc("Whether the connection is encrypted.") @Default("false") boolean enabled,
    @Doc("A PEM file of trusted certificates; empty: those that Java trusts.") @Default("")
        String caFile,
    @Doc("Whether the certificate must match the configured host.") @Default("true")
        boolean verifyHost) {}
