package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A made-up race day. */
public record SimulationConfig(
    @Doc("Whether the simulation runs.") @Default("false") boolean enabled,
    @Doc("The seed.") @Default("1") long seed,
    @Doc("Concurrent races.") @Default("4") @Range(min = 1, max = 1000) int races,
    @Doc("Runners per race.") @Default("8") @Range(min = 2, max = 40) int runnersPerRace,
    @Doc("Simulated records per second.") @Default("40") @Range(min = 1, max = 1_000_000)
        int recordsPerSecond,
    @Doc("Sensors, each with a value every second.") @Default("2") @Range(min = 0, max = 1000)
        int sensors,
    @Doc("Time before a race starts.") @Default("240") @Range(min = 10, max = 86_400)
        int openSeconds,
    @Doc("Duration of a race.") @Default("40") @Range(min = 5, max = 3600) int runSeconds) {}
