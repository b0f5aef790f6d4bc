package io.galop.config;

/** Which servers are believed over https. */
public record PollTlsConfig(
    @Doc(
            "A file with the certificates (PEM) that the server's must come from; empty: those that"
                + " Java trusts.")
        @Default("")
        String caFile,
    @Doc("Whether the certificate must be for the host of the url.") @Default("true")
        boolean verifyHost) {}
