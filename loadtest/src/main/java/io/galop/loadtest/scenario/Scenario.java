package io.galop.loadtest.scenario;

/** What a scenario file says; its keys are these. */
public record Scenario(
    @Doc("What the run is called in its report.") String name,
    @Doc("What it is to show, in a sentence.") @Default("") String about,
    @Doc("What is started with `--start`.") @Default("{}") StartPlan start,
    @Doc("How records are sent.") @Default("{}") Injection inject,
    @Doc("Who watches.") @Default("{}") ViewerPlan viewers,
    @Doc("What has to hold.") @Default("{}") Goal goal,
    @Doc("What is done: one key, the kind, and below it the kind's own keys.") Measure measure) {

  /** The same with other nodes, stores or settings. */
  public Scenario withStart(StartPlan other) {
    return new Scenario(name, about, other, inject, viewers, goal, measure);
  }

  /** The same with other viewers. */
  public Scenario withViewers(ViewerPlan other) {
    return new Scenario(name, about, start, inject, other, goal, measure);
  }
}
