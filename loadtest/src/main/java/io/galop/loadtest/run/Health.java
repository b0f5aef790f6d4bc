package io.galop.loadtest.run;

import io.galop.loadtest.inject.Injector;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.scenario.DoorWord;
import io.galop.loadtest.scenario.Injection;
import io.galop.loadtest.site.NullSite;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.targets.ProcessCost;
import java.io.IOException;
import java.util.Locale;

/**
 * What the generator does against a server that only acknowledges.
 *
 * @param door over which
 * @param asked rate, records a second
 * @param reached rate
 * @param lagP99Ms how late its threads woke
 * @param processors how many it used
 */
public record Health(
    DoorWord door, double asked, double reached, double lagP99Ms, double processors) {
  private static final double REACHED = 0.98;

  /** A schedule begins a little after it is made, and the threads end a little after its end. */
  private static final double START_SECONDS = 0.05;

  private static final double HOPELESS_MS = 2_000;

  static Health measure(Injection asked, double rate, double seconds)
      throws IOException, InterruptedException {
    // A ring has nobody but a node on its other side.
    Injection plan = asked.door() == DoorWord.RING ? asked.withDoor(DoorWord.TCP_PROTOBUF) : asked;
    try (Site site = NullSite.start();
        Injector injector = new Injector(site.doors(), plan)) {
      injector.send(rate / 4, 1, HOPELESS_MS);
      long before = injector.sent();
      long micros = own();
      long start = System.nanoTime();
      injector.send(rate, seconds, HOPELESS_MS);
      double took = (System.nanoTime() - start) / 1e9;
      double processors = (own() - micros) / 1e6 / took;
      double reached = (injector.sent() - before) / Math.max(took - START_SECONDS, seconds);
      return new Health(plan.door(), rate, reached, Latencies.ms(injector.lag(), 99), processors);
    }
  }

  private static long own() throws IOException {
    return ProcessCost.cpuMicros(ProcessHandle.current().pid());
  }

  /** Whether it can send at that rate. */
  public boolean isWell() {
    return reached >= REACHED * asked;
  }

  /** For the report. */
  public String words() {
    return String.format(
        Locale.ROOT,
        "Against a server that only acknowledges, the generator sent %,.0f of %,.0f records/s asked"
            + " over %s (lag p99 %.2f ms, %.2f processors)%s.",
        reached,
        asked,
        door,
        lagP99Ms,
        processors,
        isWell() ? "" : ": IT WAS ITSELF THE LIMIT");
  }
}
