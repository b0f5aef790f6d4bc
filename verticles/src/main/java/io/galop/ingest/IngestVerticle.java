package io.galop.ingest;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.bus.BridgeDoor;
import io.galop.ingest.bus.BusDoor;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.InFlight;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Token;
import io.galop.ingest.mqtt.MqttDoor;
import io.galop.ingest.poll.PollDoor;
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

/**
 * Takes records in on one event loop: door → {@link io.galop.ingest.parse.RecordReader} → {@link
 * Intake} → enrichment, and back the acknowledgement. The http door is not opened here but mounted
 * on the node's HTTP servers as {@link io.galop.ingest.http.HttpDoor}; what it has in flight is
 * waited for in {@link #stop} all the same.
 */
public final class IngestVerticle extends VerticleBase {
  private final Node node;
  private final int index;
  private final int of;
  private final List<Door> doors = new ArrayList<>();
  private InFlight inFlight;

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
    Token token = Token.of(config);
    Intake intake = new Intake(vertx, node);
    inFlight = intake.inFlight();
    if (config.tcp().enabled()) {
      doors.add(new TcpDoor(vertx, node, intake, token));
    }
    if (config.mqtt().enabled()) {
      doors.add(new MqttDoor(vertx, node, intake, token));
    }
    doors.add(new BusDoor(node, intake, token));
    if (config.bridge().enabled() && index == 0) {
      doors.add(new BridgeDoor(vertx, node));
    }
    RingDoor.of(vertx, node, intake, index, of).ifPresent(doors::add);
    PollDoor.of(vertx, node, intake, index, of).ifPresent(doors::add);
    if (config.simulation().enabled() && index == 0) {
      doors.add(new SimulationDoor(vertx, node, intake));
    }
    return Future.all(doors.stream().map(Door::open).toList())
        .onSuccess(open -> node.readiness().ready(part()));
  }

  /** Closes the doors and waits until everything that came in is acknowledged or refused. */
  @Override
  public Future<?> stop() {
    node.readiness().unready(part(), "the doors are closed", Set.of(Audience.PUBLISHERS));
    Future<Void> settled = inFlight.close();
    return Future.join(doors.stream().map(Door::close).toList()).eventually(() -> settled);
  }
}
