package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records over HTTP. */
public record HttpDoorConfig(
    @Doc("Largest request body as sent.")
        @Default("8388608")
        @Range(min = 1024, max = 1_073_741_824)
        int maxBodyBytes,
    @Doc("Largest request body once unpacked.")
        @Default("33554432")
        @Range(min = 1024, max = 1_073_741_824)
        int maxInflatedBytes,
    @Doc("Largest ratio of unpacked to sent size.") @Default("100") @Range(min = 2, max = 1032)
        int maxInflateRatio) {}
