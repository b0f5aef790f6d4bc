package io.galop.loadtest.scenario;

/** What has to hold at a rate for Galop to be said to take it. */
public record Goal(
    @Doc(
            "From due to seen by a viewer (without viewers: to acknowledged), 99th percentile in"
                + " milliseconds, at most.")
        @Default("100")
        @Range(from = 0.1, to = 600_000)
        double p99Ms,
    @Doc("Which part of what was sent every viewer must have seen, and the door acknowledged.")
        @Default("1")
        @Range(from = 0, to = 1)
        double completeness,
    @Doc("Which part of what was due must have been sent and acknowledged in time.")
        @Default("0.98")
        @Range(from = 0, to = 1)
        double achieved,
    @Doc(
            "By how many records a second, as a part of the rate, what waits may grow, where that is"
                + " more over the time than what p99Ms lets wait.")
        @Default("0.02")
        @Range(from = 0, to = 10)
        double backlogSlope) {}
