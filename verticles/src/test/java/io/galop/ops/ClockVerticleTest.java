package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.LiveClient;
import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.latency.LatencyHistogram;
import io.galop.latency.LatencyStage;
import io.galop.latency.Lateness;
import io.galop.ledger.NodeLedger;
import io.galop.node.Acts;
import io.galop.node.LiveConfig;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.node.Reports;
import io.galop.record.DoorStamp;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes on one bus, one of them with a clock that is an hour off. */
@Timeout(180)
class ClockVerticleTest {
  private static final long HOUR_US = 3_600_000_000L;
  private static final List<Member> BOTH =
      List.of(
          new Member("a", "a", Set.of(Role.values())), new Member("b", "b", Set.of(Role.values())));

  private final Vertx vertx = Vertx.vertx();
  private final Lateness right = new Lateness("a");
  private final Lateness wrong = new Lateness("b", () -> right.nowUs() + HOUR_US);

  /** Both are there, for good. */
  private record Seen(Member self) implements Cluster {
    @Override
    public List<Member> members() {
      return BOTH;
    }

    @Override
    public int shards() {
      return 1;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
  }

  private void start(int which, Lateness lateness) throws Exception {
    GalopConfig config = ConfigLoader.defaults();
    Node node =
        new Node(
            new LiveConfig(config),
            Bus.open(vertx, new Seen(BOTH.get(which)), config.cluster()),
            new SimpleMeterRegistry(),
            new Readiness(),
            new Listeners(),
            new Reports(),
            new Acts(),
            lateness,
            new NodeLedger(),
            new io.galop.node.OwnerTaps());
    await(vertx.deployVerticle(new ClockVerticle(node)));
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  /** A record that the other node read half a second ago, by its own clock. */
  private static boolean isMeasured(Lateness here, Lateness there) {
    DoorStamp stamp = new DoorStamp(there.stamp("tcp").node(), "tcp", there.nowUs() - 500_000);
    here.record(LatencyStage.FED, Lateness.NO_TRANSPORT, stamp, 1);
    return LatencyHistogram.quantileUs(here.lastMinute(LatencyStage.FED), 0.5) > 0;
  }

  @Test
  void recordsOfANodeWhoseClockIsAnHourOffAreAsLateAsTheyAre() throws Exception {
    start(0, right);
    start(1, wrong);
    LiveClient.await("the right one knows", () -> isMeasured(right, wrong));
    LiveClient.await("the wrong one knows", () -> isMeasured(wrong, right));
    for (Lateness one : List.of(right, wrong)) {
      long us = LatencyHistogram.quantileUs(one.lastMinute(LatencyStage.FED), 0.99);
      // Whoever stands still between stamp and count is late, but never by an hour.
      assertTrue(us > 440_000 && us < 60_000_000, us + " µs, whatever the clocks");
    }
  }
}
