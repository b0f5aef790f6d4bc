package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** Which servers are believed over https. */
public record PollTlsConfig(
    @Doc("A PEM file of trusted certificates; empty: those that Java trusts.") @Default("")
        String caFile,
    @Doc("Whether the certificate must match the host.") @Default("true") boolean verifyHost) {}
