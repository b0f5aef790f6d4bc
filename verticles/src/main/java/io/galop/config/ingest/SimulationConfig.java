package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A made-up race day. */
public record SimulationConfig(
    @Doc("Whether the simulation runs.") @Default("false") boolean enabled,
    @Doc("The same seed makes the same race day.") @Default("1") long seed,
    @Doc("Concurrent races.") @Default("4") @Range(min = 1, max = 1000) int races,
    @Doc("Runners per race.") @Default("8") @Range(min = 2, max = 40) int runnersPerRace,
    @Doc("Simulated records per second, without those of the sensors.")
        @Default("40")
        @Range(min = 1, max = 1_000_000)
        int recordsPerSecond,
    @Doc("Sensors that send a value every second.") @Default("2") @Range(min = 0, max = 1000)
        int sensors,
    @Doc("How long a race is open before it starts.") @Default("240") @Range(min = 10, max = 86_400)
        int openSeconds,
    @Doc("Duration of a race.") @Default("40") @Range(min = 5, max = 3600) int runSeconds) {}
