package io.galop.loadtest.scenario;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** What has to hold at a rate for Galop to be said to take it. */
public record Goal(
    @Doc("Highest p99 to the viewer (without viewers: to the acknowledgement).")
        @Default("100")
        @Range(min = 0.1, max = 600_000)
        double p99Ms,
    @Doc("Fraction of the records that viewers must see and the door acknowledge.")
        @Default("1")
        @Range(min = 0, max = 1)
        double completeness,
    @Doc("Fraction of the records that must be in time.") @Default("0.98") @Range(min = 0, max = 1)
        double achieved,
    @Doc("Growth of the backlog as a fraction of the rate.")
        @Default("0.02")
        @Range(min = 0, max = 10)
        double backlogSlope) {}
