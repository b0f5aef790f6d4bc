package io.galop.loadtest.run;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.inject.Injector;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.Goal;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.watch.GcLog;
import io.galop.loadtest.watch.RunWatch;
import io.galop.loadtest.watch.Slope;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** An injector, viewers and a watch around one site. */
public final class Rig implements AutoCloseable {
  private static final long SAMPLE_MS = 500;
  private static final long LOOK_EVERY_MS = 20;
  private static final double QUIET_SECONDS = 5;
  private static final long STORES_EVERY_MS = 200;

  /** What is later than so many times the goal's p99 is not worth being sent. */
  private static final double HOPELESS = 10;

  private static final double HOPELESS_LEAST_MS = 1_000;

  /** What is sent until all viewers see something, who came just now. */
  private static final double WAKING_PER_SECOND = 50;

  private static final double WAKING_SECONDS = 0.2;
  private static final int WAKING_TIMES = 50;

  private final Site site;
  private final Goal goal;
  private final int viewers;
  private final Injector injector;
  private final @Nullable Crowd crowd;
  private final RunWatch watch;
  private final StoreProgress stores;

  /** Connects all; the site is closed with it. */
  Rig(Site site, Scenario scenario, RunProgress progress) throws IOException, InterruptedException {
    this.site = site;
    this.goal = scenario.goal();
    this.viewers = scenario.viewers().count();
    this.crowd = viewers == 0 ? null : crowd(scenario);
    this.injector = new Injector(site.doors(), scenario.inject());
    this.watch = new RunWatch(site, injector, crowd, SAMPLE_MS, progress::row);
    this.stores = new StoreProgress(site.management());
  }

  private Crowd crowd(Scenario scenario) throws IOException, InterruptedException {
    ViewerGroup audience =
        ViewerGroup.of(site.browsers(), scenario.viewers().transport(), List.of("load/#"));
    Crowd all = new Crowd(audience, viewers, scenario.inject().bytes());
    all.connect();
    return all;
  }

  /** Sends at a rate, and waits until all of it has come. */
  public Step step(double rate, double seconds) throws IOException, InterruptedException {
    reset(Math.round(rate * seconds));
    long sentBefore = injector.sent();
    long ackedBefore = injector.acked();
    long refusedBefore = injector.refused();
    StepCost before = StepCost.of(site);
    double from = watch.seconds();
    watch.asked(rate);
    injector.send(rate, seconds, Math.max(HOPELESS_LEAST_MS, HOPELESS * goal.p99Ms()));
    double to = watch.seconds();
    watch.asked(0);
    StepCost.Since spent = StepCost.of(site).since(before);
    awaitAcked(goal.p99Ms() / 1e3);
    long inTime = injector.acked() - ackedBefore;
    long sent = injector.sent() - sentBefore;
    @Nullable AudienceReport seen = drain(sent);
    double tookSeconds = watch.seconds() - from;
    Histogram live = watch.takeSeen();
    return new Step(
        rate,
        from,
        to,
        sent,
        Math.max(1, Math.round(rate * seconds)),
        inTime,
        injector.acked() - ackedBefore - (injector.refused() - refusedBefore),
        viewers,
        seen == null ? 0 : seen.seen().received(),
        seen == null ? 0 : seen.seen().lostViewers(),
        tookSeconds,
        watch.takeAcked(),
        live,
        Slope.of(watch.series(), "backlog", from, to),
        Latencies.ms(injector.lag(), 99),
        spent.serverProcessors(to - from),
        spent.ownProcessors(to - from),
        spent.switches() / Math.max(1, sent));
  }

  /** Waits until all that was sent is acknowledged, for a time. */
  private void awaitAcked(double seconds) throws InterruptedException {
    double deadline = watch.seconds() + seconds;
    while (injector.acked() < injector.sent() && watch.seconds() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private void reset(long count) throws IOException, InterruptedException {
    if (crowd != null && crowd.replaceLost() > 0) {
      wake(crowd);
    }
    watch.takeSeen();
    watch.takeAcked();
    if (crowd != null) {
      crowd.measureFrom(injector.next(), Math.max(1, count));
    }
  }

  /** Viewers that were sent away at a rate that was too much are there again at the next. */
  private void wake(Crowd woken) throws IOException, InterruptedException {
    for (int i = 0; i < WAKING_TIMES && !woken.areWarm(); i++) {
      injector.send(WAKING_PER_SECOND, WAKING_SECONDS, HOPELESS_LEAST_MS);
    }
  }

  /** Waits until everybody has everything, or nothing has come for a while. */
  private @Nullable AudienceReport drain(long sent) throws IOException, InterruptedException {
    double quietSince = watch.seconds();
    long before = -1;
    while (true) {
      injector.check();
      @Nullable AudienceReport seen = crowd == null ? null : crowd.report(injector.next());
      long received = seen == null ? 0 : seen.seen().received();
      boolean isDone = injector.acked() == injector.sent() && received >= sent * viewers;
      if (received + injector.acked() != before) {
        before = received + injector.acked();
        quietSince = watch.seconds();
      }
      if (isDone || watch.seconds() - quietSince > QUIET_SECONDS) {
        return seen;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  /** The stores of the nodes. */
  StoreProgress stores() {
    return stores;
  }

  /**
   * Waits until every store has what was placed.
   *
   * @return when that was, in seconds of the watch; NaN if it took longer than it may
   */
  double awaitStored(double seconds) throws InterruptedException {
    double deadline = watch.seconds() + seconds;
    while (watch.seconds() < deadline) {
      if (stores.haveAll()) {
        return watch.seconds();
      }
      TimeUnit.MILLISECONDS.sleep(STORES_EVERY_MS);
    }
    return Double.NaN;
  }

  public RunWatch watch() {
    return watch;
  }

  /** Pauses of the nodes' garbage collectors so far. */
  public List<GcLog.Pause> pauses() throws IOException {
    return GcLog.pauses(site.gcLogs());
  }

  public Site site() {
    return site;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      injector.close();
    } finally {
      closeWatch();
    }
  }

  /** Whatever fails before, the nodes are stopped at last. */
  private void closeWatch() throws IOException, InterruptedException {
    try {
      watch.close();
    } finally {
      closeSite();
    }
  }

  private void closeSite() throws IOException, InterruptedException {
    try {
      if (crowd != null) {
        crowd.close();
      }
    } finally {
      site.close();
    }
  }
}
