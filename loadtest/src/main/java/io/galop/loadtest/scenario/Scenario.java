package io.galop.loadtest.scenario;

/** What a scenario file says; its keys are these. */
public record Scenario(
    @Doc("The run's name in its report.") String name,
    @Doc("The purpose of the run, in a sentence.") @Default("") String about,
    @Doc("What `--start` starts.") @Default("{}") StartPlan start,
    @Doc("How records are sent.") @Default("{}") Injection inject,
    @Doc("The viewers.") @Default("{}") ViewerPlan viewers,
    @Doc("The conditions that must hold.") @Default("{}") Goal goal,
    @Doc("What to measure: one key, the kind, with the kind's own keys below it.")
        MeasurePlan measure) {

  /** The same with other nodes, stores or settings. */
  public Scenario withStart(StartPlan other) {
    return new Scenario(name, about, other, inject, viewers, goal, measure);
  }

  /** The same with other viewers. */
  public Scenario withViewers(ViewerPlan other) {
    return new Scenario(name, about, start, inject, other, goal, measure);
  }
}
