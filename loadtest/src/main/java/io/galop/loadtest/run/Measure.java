package io.galop.loadtest.run;

import io.galop.loadtest.scenario.MeasurePlan;
import java.io.IOException;

/** A plan that knows how it is carried out: one kind of scenario. */
public interface Measure extends MeasurePlan {
  /**
   * Carries it out.
   *
   * @param bench the scenario, how to start what it needs, and where to say how far it is
   */
  Findings run(Bench bench) throws IOException, InterruptedException;
}
