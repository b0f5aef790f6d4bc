package io.galop.loadtest.scenario;

/** What has to hold at a rate for Galop to be said to take it. */
public record Goal(
    @Doc(
            "Highest p99 from the due time to the viewer (without viewers: to the "
                + "acknowledgement).")
        @Default("100")
        @Range(from = 0.1, to = 600_000)
        double p99Ms,
    @Doc("Fraction of the sent records that every viewer must see and the door acknowledge.")
        @Default("1")
        @Range(from = 0, to = 1)
        double completeness,
    @Doc("Fraction of the due records that must be sent and acknowledged in time.")
        @Default("0.98")
        @Range(from = 0, to = 1)
        double achieved,
    @Doc(
            "Growth of the backlog in records per second, as a fraction of the "
                + "rate, unless p99Ms allows that backlog.")
        @Default("0.02")
        @Range(from = 0, to = 10)
        double backlogSlope) {}
