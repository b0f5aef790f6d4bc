package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** Records that a node sends the whole way, to see that they arrive. */
public record DrillsConfig(
    @Doc(
            "Time between two drills; 120000 is enough. 0: only when `galop drill` asks. Their "
                + "records are in the Log and in your stores, on $drill/…")
        @Default("0")
        @Range(min = 0, max = 86_400_000)
        long everyMs,
    @Doc("Each so-manyth drill plants a fault, one kind after the other; 0: none does.")
        @Default("4")
        @Range(min = 0, max = 10_000)
        int faultEvery,
    @Doc("Until then a record has to be acknowledged and shown; beyond, the drill has failed.")
        @Default("5000")
        @Range(min = 100, max = 600_000)
        long withinMs,
    @Doc("Until then it has to be in each store.")
        @Default("30000")
        @Range(min = 100, max = 3_600_000)
        long storedWithinMs) {
  public DrillsConfig {
    if (everyMs > 0 && everyMs < 1_000) {
      throw new IllegalArgumentException("everyMs must be 0 or at least 1000");
    }
  }
}
