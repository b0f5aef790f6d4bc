package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Default;
import io.galop.loadtest.scenario.Doc;
import io.galop.loadtest.scenario.Range;
import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.state.Discipline;
import java.util.List;
import java.util.Map;

/** One combination of bricks. */
public record MatrixRow(
    @Doc("What it is called in the table.") String name,
    @Doc("Stores that are started for it.") @Default("[]") List<StoreWord> stores,
    @Doc("Galop's configuration for it, instead of that of `start`.") @Default("{}")
        Map<String, Object> config,
    @Doc(
            "Instead of a node, a server of the load test's own that keeps the same windows in this"
                + " way and does nothing else.")
        @Default("none")
        Discipline state,
    @Doc("Records a second for this row; 0: as the matrix has it.")
        @Default("0")
        @Range(from = 0, to = 10_000_000)
        double ratePerSecond) {}
