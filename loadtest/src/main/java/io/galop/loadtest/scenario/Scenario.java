package io.galop.loadtest.scenario;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** What a scenario file says; its keys are these. */
public record Scenario(
    @Doc("The run's name in its report.") String name,
    @Doc("The purpose of the run.") @Default("") String about,
    @Doc("What `--start` starts.") StartPlan start,
    @Doc("How records are sent.") Injection inject,
    @Doc("The viewers.") ViewerPlan viewers,
    @Doc("The conditions that must hold.") Goal goal,
    @Doc("One key, the kind, with the keys below.") MeasurePlan measure) {

  /** The same with other nodes, stores or settings. */
  public Scenario withStart(StartPlan other) {
    return new Scenario(name, about, other, inject, viewers, goal, measure);
  }

  /** The same with other viewers. */
  public Scenario withViewers(ViewerPlan other) {
    return new Scenario(name, about, start, inject, other, goal, measure);
  }
}
