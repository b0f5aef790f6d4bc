package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** The file that names what operators did, audit.log in the node's directory. */
public record AuditConfig(
    @Doc("Its size beyond which the next is begun, and it becomes audit.log.1.")
        @Default("10485760")
        @Range(min = 4_096, max = 1_073_741_824)
        long maxBytes,
    @Doc("How many of those are kept.") @Default("10") @Range(min = 1, max = 1_000) int files) {}
