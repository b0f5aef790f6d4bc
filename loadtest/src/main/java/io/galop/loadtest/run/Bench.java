package io.galop.loadtest.run;

import io.galop.loadtest.scenario.Injection;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.site.SiteStart;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a scenario is run with. */
public final class Bench {
  private static final double SHORTEST_SECONDS = 1;

  private final Scenario scenario;
  private final @Nullable SiteStart start;
  private final @Nullable Site running;
  private final double shorten;
  private final RunProgress progress;

  /**
   * @param start how to start nodes; null if they are running
   * @param running the nodes that are; null if they are to be started
   * @param shorten divides the times of the scenario
   */
  public Bench(
      Scenario scenario,
      @Nullable SiteStart start,
      @Nullable Site running,
      double shorten,
      RunProgress progress) {
    this.scenario = scenario;
    this.start = start;
    this.running = running;
    this.shorten = shorten;
    this.progress = progress;
  }

  public Scenario scenario() {
    return scenario;
  }

  public RunProgress progress() {
    return progress;
  }

  /** A time of the scenario as this run has it: not below a second. */
  public double seconds(double asked) {
    return Math.max(Math.min(asked, SHORTEST_SECONDS), asked / shorten);
  }

  /** By how much a count of the scenario is divided. */
  public double shorten() {
    return shorten;
  }

  /** Starts what the scenario wants, or takes what is running, and connects to it. */
  public Rig open() throws IOException, InterruptedException {
    return open(scenario);
  }

  /** The same for another version of the scenario. */
  public Rig open(Scenario version) throws IOException, InterruptedException {
    return open(version, start(version));
  }

  /** Starts what another version of the scenario wants, and does not connect to it. */
  public Site start(Scenario version) throws IOException, InterruptedException {
    progress.phase("starting");
    return start == null ? running() : start.start(version.start(), version.inject());
  }

  /**
   * Starts what the scenario wants with other settings, and does not connect to it.
   *
   * @param settings of the nodes, as in {@code persist.ack=memory}; those of the command come after
   */
  public Site start(List<String> settings) throws IOException, InterruptedException {
    progress.phase("starting");
    SiteStart own = Objects.requireNonNull(start, "the command asks for --start then");
    return own.with(settings).start(scenario.start(), scenario.inject());
  }

  private Site running() {
    return Objects.requireNonNull(running, "either it runs or it is started");
  }

  /** The same for a site that has been started. */
  public Rig open(Scenario version, Site site) throws IOException, InterruptedException {
    try {
      return new Rig(site, version, progress);
    } catch (IOException | InterruptedException | RuntimeException e) {
      site.close();
      throw e;
    }
  }

  /** Sends at a rate to a server that only acknowledges, to see what the generator can do. */
  public Health health(Injection plan, double rate) throws IOException, InterruptedException {
    progress.phase("generator alone");
    return Health.measure(plan, rate, seconds(3));
  }
}
