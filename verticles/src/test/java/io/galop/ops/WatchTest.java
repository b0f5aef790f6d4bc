package io.galop.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.latency.Lateness;
import io.galop.ledger.NodeLedger;
import io.galop.node.Acts;
import io.galop.node.Audience;
import io.galop.node.LiveConfig;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.node.Reports;
import io.galop.ops.access.Operators;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What counts tell of doors that refuse, and of dead letters. */
class WatchTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Readiness readiness = new Readiness();
  private final GalopConfig config =
      ConfigLoader.parse("{cluster: {members: [a]}, node: {roles: [ingest]}}", "test.yaml");
  private final Watch watch =
      new Watch(
          new Node(
              new LiveConfig(config),
              null,
              meters,
              readiness,
              new Listeners(),
              new Reports(),
              new Acts(),
              new Lateness("a"),
              new NodeLedger(),
              new io.galop.node.OwnerTaps()),
          new Operators(config));
  private final Counter acknowledged = meters.counter("galop.ingest.acknowledged", "door", "http");
  private final Counter unavailable = rejected("unavailable");
  private final Counter malformed = rejected("malformed");
  private final AtomicLong inFlight =
      meters.gauge("galop.ingest.in.flight.bytes", new AtomicLong());
  private final Counter letters = meters.counter("galop.enrich.dead.letters", "step", "script");

  private Counter rejected(String reason) {
    return meters.counter("galop.ingest.rejected", "door", "http", "reason", reason);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }

  private boolean isForPublishers() {
    return readiness.reasons(Audience.PUBLISHERS).isEmpty();
  }

  @Test
  void whatIsThePublishersFaultIsNoReasonToWarn() {
    look(1);
    malformed.increment(1_000);
    look(1);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void someRefusalsAreAWarningAndNothingButRefusalsKeepPublishersAway() {
    look(1);
    unavailable.increment(7);
    acknowledged.increment(100);
    look(1);
    assertTrue(isForPublishers());
    assertTrue(
        readiness.warnings().get("ingest").contains("7 refusals"), "" + readiness.warnings());
    look(6);
    assertEquals(Map.of(), readiness.warnings(), "over after some seconds without");
    unavailable.increment(3);
    look(1);
    assertTrue(!isForPublishers() && readiness.isReady(), "" + readiness.conditions());
    look(6);
    assertTrue(isForPublishers(), "a balancer that sends nothing tries again");
  }

  @Test
  void fullDoorsThatAcknowledgeNothingKeepPublishersAway() {
    inFlight.set(64L << 20);
    acknowledged.increment(1);
    look(3);
    assertTrue(isForPublishers(), "a full door may be a busy one");
    look(5);
    assertTrue(!isForPublishers(), "" + readiness.conditions());
    acknowledged.increment(1);
    look(1);
    assertTrue(isForPublishers());
  }

  @Test
  void deadLettersAreToldOfForAMinute() {
    look(1);
    letters.increment(2);
    look(59);
    assertTrue(readiness.warnings().get("dead letters").startsWith("2 records"));
    look(3);
    assertEquals(Map.of(), readiness.warnings());
  }

  @Test
  void messagesOfKafkaThatAreNoRecordsAreToldOfToo() {
    look(1);
    meters.counter("galop.ingest.kafka.letters", "source", "plant").increment(3);
    look(1);
    assertTrue(readiness.warnings().get("dead letters").startsWith("3 records"));
  }
}
