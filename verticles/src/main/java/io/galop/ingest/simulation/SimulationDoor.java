package io.galop.ingest.simulation;

import io.galop.config.ingest.SimulationConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.RecordReader;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records that nobody sends: a made-up race day, for demonstrations and tests. */
public final class SimulationDoor implements Door {
  private static final Logger LOG = LoggerFactory.getLogger(SimulationDoor.class);
  private static final long TICK_MS = 50;

  private final Vertx vertx;
  private final Intake intake;
  private final SimulationConfig config;
  private final DoorMeters meters;
  private final Clock clock = Clock.systemUTC();
  private final RaceDay raceDay;
  private long timer;
  private boolean failing;

  public SimulationDoor(Vertx vertx, Node node, Intake intake) {
    this.vertx = vertx;
    this.intake = intake;
    this.config = node.config().ingest().simulation();
    this.meters = new DoorMeters(node.meters(), "simulation");
    this.raceDay = new RaceDay(config, RecordReader.us(clock));
  }

  @Override
  public Future<Void> open() {
    timer = vertx.setPeriodic(TICK_MS, tick -> advance());
    LOG.info(
        "simulating {} races, seed {}, {} records a second",
        config.races(),
        config.seed(),
        config.recordsPerSecond());
    return Future.succeededFuture();
  }

  /** While too much is in flight nothing is made up: what nobody sends may well be left out. */
  private void advance() {
    if (intake.inFlight().isFull()) {
      meters.paused();
      return;
    }
    Submission submission = intake.open(meters, new Rejections(1), this::done);
    raceDay.advance(
        RecordReader.us(clock),
        (topic, timeUs, data) ->
            intake
                .reader()
                .readParts(
                    topic.getBytes(StandardCharsets.UTF_8),
                    "",
                    timeUs,
                    data.getBytes(StandardCharsets.UTF_8),
                    1,
                    submission));
    submission.close();
  }

  private void done(Submission submission) {
    boolean rejected = submission.rejections().count() > 0;
    if (rejected && !failing) {
      LOG.warn(
          "simulated records are rejected: {}", submission.rejections().listed().get(0).detail());
    }
    failing = rejected;
  }

  @Override
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.succeededFuture();
  }
}
