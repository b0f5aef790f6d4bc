package io.galop.config;

/** TLS to a store. */
public record StoreTlsConfig(
    @Doc("Whether the connection is encrypted.") @Default("false") boolean enabled,
    @Doc(
            "A file with the certificates (PEM) that the store's must come from; empty: those that"
                + " Java trusts.")
        @Default("")
        String caFile,
    @Doc("Whether the certificate must be for the configured host.") @Default("true")
        boolean verifyHost) {}
