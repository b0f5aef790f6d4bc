package io.galop.loadtest.stalled;

import io.galop.loadtest.client.AudienceReport;
import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.sample.SocketStates;
import io.galop.loadtest.targets.ProcessCost;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All rounds of one transport on a node of its own. */
final class StalledRun {
  private static final double BYTES_PER_MB = 1 << 20;

  /** Those who have gone are let go of before anything counts again. */
  private static final int GONE_SECONDS = 3;

  private final StalledOptions options;
  private final ViewerTransport transport;
  private final Load load;

  StalledRun(StalledOptions options, ViewerTransport transport) {
    this.options = options;
    this.transport = transport;
    this.load = options.load.load();
  }

  StalledOutcome run() throws IOException, InterruptedException {
    try (Started started = options.node.galop(1).start();
        Crowd readers = new Crowd(audience(started.target(), 0), load.viewers(), load.bytes())) {
      readers.connect();
      try (OpenLoopPublisher publisher = new OpenLoopPublisher(load, started.target().tcp())) {
        TimeUnit.SECONDS.sleep(load.warmUpSeconds());
        readers.replaceLost(); // a cold JVM may be so late that sessions end
        readers.follow();
        List<Round> rounds = new ArrayList<>();
        for (int round = 0; round < options.rounds; round++) {
          rounds.add(round(started.target(), readers));
          publisher.check();
        }
        return new StalledOutcome(transport, options.stalled, rounds, ended(publisher, readers));
      }
    }
  }

  private ViewerGroup audience(Target target, int stalled) {
    return ViewerGroup.of(target.browsers(), transport, target.addresses(load.topics()))
        .withStalled(stalled);
  }

  private Round round(Target target, Crowd readers) throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(GONE_SECONDS);
    double withoutMs = p99Ms(readers);
    double withoutMb = residentMb(target);
    try (Crowd stalled = new Crowd(audience(target, options.stalled), 0, load.bytes())) {
      stalled.connect();
      TimeUnit.SECONDS.sleep(options.settleSeconds);
      double withMs = p99Ms(readers);
      int full = SocketStates.withBytesWaiting(target.http().getPort());
      return new Round(withoutMs, withMs, withoutMb, residentMb(target), full);
    }
  }

  private double p99Ms(Crowd readers) throws InterruptedException {
    readers.takeLatencies();
    TimeUnit.SECONDS.sleep(load.seconds());
    return Latencies.ms(readers.takeLatencies(), 99);
  }

  private static double residentMb(Target target) throws IOException {
    return ProcessCost.of(target.pids()).residentBytes() / BYTES_PER_MB;
  }

  private static AudienceReport ended(OpenLoopPublisher publisher, Crowd readers)
      throws IOException, InterruptedException {
    long end = publisher.stopSoon();
    publisher.awaitEnd();
    return readers.drained(end);
  }
}
