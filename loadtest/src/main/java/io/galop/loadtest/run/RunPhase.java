package io.galop.loadtest.run;

/**
 * A stretch of a run, shown in its plots.
 *
 * @param name what was done
 * @param from seconds since the run began
 * @param to the same
 */
public record RunPhase(String name, double from, double to) {}
