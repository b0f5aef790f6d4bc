package io.galop.config;

/** A made-up race day. */
public record SimulationConfig(
    @Doc("Whether records are made up.") @Default("false") boolean enabled,
    @Doc("The same seed makes the same race day.") @Default("1") long seed,
    @Doc("How many races are on at once.") @Default("4") @Range(min = 1, max = 1000) int races,
    @Doc("How many runners a race has.") @Default("8") @Range(min = 2, max = 40) int runnersPerRace,
    @Doc("How many records are made up a second, those of the sensors not counted.")
        @Default("40")
        @Range(min = 1, max = 1_000_000)
        int recordsPerSecond,
    @Doc("How many sensors send a value every second.") @Default("2") @Range(min = 0, max = 1000)
        int sensors,
    @Doc("How long a race is open before it goes off, in seconds.")
        @Default("240")
        @Range(min = 10, max = 86_400)
        int openSeconds,
    @Doc("How long a race is run, in seconds.") @Default("40") @Range(min = 5, max = 3600)
        int runSeconds) {}
