package io.galop.loadtest.scenario;

import io.galop.loadtest.run.Bench;
import io.galop.loadtest.run.Findings;
import java.io.IOException;

/** One kind of scenario: what is done, and what comes of it. Its record's keys are the file's. */
public interface Measure {
  /**
   * Does it.
   *
   * @param bench the scenario, how to start what it needs, and where to say how far it is
   */
  Findings run(Bench bench) throws IOException, InterruptedException;

  /** Whether it compares several that it starts itself, so that one that runs is of no use. */
  default boolean needsStart() {
    return false;
  }
}
