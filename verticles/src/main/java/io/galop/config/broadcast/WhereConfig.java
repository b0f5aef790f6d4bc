package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** The conditions that browsers may set: see {@code where} in docs/protocol.md. */
public record WhereConfig(
    @Doc("Different conditions, and choices of fields, at the same time, per event loop; 0: none.")
        @Default("200")
        @Range(min = 0, max = 10_000)
        int maxConditions,
    @Doc("Longest condition, in characters.") @Default("1000") @Range(min = 1, max = 10_000)
        int maxCharacters,
    @Doc(
            "Share of an event loop's time that all conditions may take in a second; beyond, the "
                + "costliest ends, and is refused for a minute.")
        @Default("40")
        @Range(min = 1, max = 90)
        int maxLoadPercent) {}
