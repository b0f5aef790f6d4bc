package io.galop.ingest;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.bus.BridgeDoor;
import io.galop.ingest.bus.BusDoor;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.mqtt.MqttDoor;
import io.galop.ingest.poll.PollDoor;
import io.galop.ingest.presence.PresenceDoor;
import io.galop.ingest.publisher.Publishers;
import io.galop.ingest.ring.RingDoor;
import io.galop.ingest.simulation.SimulationDoor;
import io.galop.ingest.tcp.TcpDoor;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records in on one event loop: door → {@link io.galop.ingest.parse.RecordReader} → {@link
 * Intake} → enrichment, and back the acknowledgement. The http door is not opened here but mounted
 * on the node's HTTP servers as {@link io.galop.ingest.http.HttpDoor}; what it has in flight is
 * waited for in {@link #stop} all the same.
 */
public final class IngestVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(IngestVerticle.class);
  private static final long LOOK_MS = 1_000;

  private final Node node;
  private final int index;
  private final int of;
  private final List<Door> doors = new ArrayList<>();

  /** Waits until all that came in is settled; nothing comes in before the start. */
  private Supplier<Future<Void>> settle = Future::succeededFuture;

  /** The verticle of event loop {@code index} of {@code of}. */
  public IngestVerticle(Node node, int index, int of) {
    this.node = node;
    this.index = index;
    this.of = of;
    node.readiness().unready(part(), "the doors are not open yet", Set.of(Audience.PUBLISHERS));
  }

  private String part() {
    return "ingest." + index;
  }

  @Override
  public Future<?> start() {
    IngestConfig config = node.config().ingest();
    Publishers publishers = Publishers.of(vertx, node);
    if (publishers.mayChange() && index == 0) {
      lookLater(publishers);
    }
    Intake intake = new Intake(vertx, node);
    settle = intake.inFlight()::close;
    if (config.tcp().enabled()) {
      doors.add(new TcpDoor(vertx, node, intake, publishers));
    }
    if (config.mqtt().enabled()) {
      doors.add(new MqttDoor(vertx, node, intake, publishers));
    }
    doors.add(new BusDoor(node, intake, publishers));
    if (config.bridge().enabled() && index == 0) {
      doors.add(new BridgeDoor(vertx, node));
    }
    RingDoor.of(vertx, node, intake, index, of).ifPresent(doors::add);
    PollDoor.of(vertx, node, intake, index, of).ifPresent(doors::add);
    DoorBricks.doors(vertx, node, intake, index, of).forEach(doors::add);
    if (!config.presence().topics().isEmpty() && index == 0) {
      doors.add(new PresenceDoor(node, intake));
    }
    if (config.simulation().enabled() && index == 0) {
      doors.add(new SimulationDoor(vertx, node, intake));
    }
    return Future.all(doors.stream().map(Door::open).toList())
        .onSuccess(open -> node.readiness().ready(part()));
  }

  /** Files are read on a thread that may wait for a disk; one look at a time. */
  private void lookLater(Publishers publishers) {
    vertx.setTimer(
        LOOK_MS,
        due ->
            vertx
                .executeBlocking(
                    () -> {
                      publishers.look();
                      return null;
                    })
                .onFailure(failure -> LOG.error("publishers cannot be looked at", failure))
                .onComplete(done -> lookLater(publishers)));
  }

  /** Closes the doors and waits until everything that came in is acknowledged or refused. */
  @Override
  public Future<?> stop() {
    node.readiness().unready(part(), "the doors are closed", Set.of(Audience.PUBLISHERS));
    Future<Void> settled = settle.get();
    return Future.join(doors.stream().map(Door::close).toList()).eventually(() -> settled);
  }
}
