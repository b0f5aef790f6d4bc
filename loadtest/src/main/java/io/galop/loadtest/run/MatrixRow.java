package io.galop.loadtest.run;

import io.galop.loadtest.experiments.state.Discipline;
import io.galop.loadtest.scenario.StoreWord;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;
import java.util.Map;

/** One combination of bricks. */
public record MatrixRow(
    @Doc("Its name in the table.") String name,
    @Doc("Stores that are started for it.") List<StoreWord> stores,
    @Doc("Galop's configuration for it, instead of that of `start`.") Map<String, Object> config,
    @Doc(
            "Replaces the node by a server of the load test that only keeps the "
                + "same windows in this way.")
        @Default("none")
        Discipline state,
    @Doc("Records per second of this row; 0: the matrix's.")
        @Default("0")
        @Range(min = 0, max = 10_000_000)
        double ratePerSecond) {}
