package io.galop.config.store;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** TLS to a store. */
public record StoreTlsConfig(
    @Doc("Whether it is on.") @Default("false") boolean enabled,
    @Doc("A PEM file of trusted certificates; empty: those that Java trusts.") @Default("")
        String caFile,
    @Doc("Whether the certificate must match the host.") @Default("true") boolean verifyHost) {}
