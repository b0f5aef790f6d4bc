package io.galop.config;

/** Which servers are believed over https. */
public record PollTlsConfig(
    @Doc("A PEM file of trusted certificates; empty: those that Java trusts.") @Default("")
        String caFile,
    @Doc("Whether the certificate must match the url's host.") @Default("true")
        boolean verifyHost) {}
