package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** What the load test has found that a node's own figures are calibrated with. */
public record HeadroomConfig(
    @Doc(
            "Processor time of the node for a record, in microseconds, at the knee of its load "
                + "test: `recordMicros` in the report of a `knee`. 0: not known.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        double recordMicros,
    @Doc(
            "The same for a record that a viewer is sent: `deliveryMicros` in the report of "
                + "`viewers`. 0: not known.")
        @Default("0")
        @Range(min = 0, max = 1_000_000)
        double deliveryMicros) {}
