package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens connections to doors: one line for each door there is. */
final class Lanes {
  private Lanes() {}

  static List<InjectionLane> open(Doors doors, Injection plan) throws IOException {
    List<InjectionLane> lanes = new ArrayList<>();
    for (int i = 0; i < plan.connections(); i++) {
      InjectionLane lane = one(doors, plan, i);
      lane.start();
      lanes.add(lane);
    }
    return lanes;
  }

  private static InjectionLane one(Doors doors, Injection plan, int number) throws IOException {
    return switch (plan.door()) {
      case TCP_NDJSON -> new LinesLane(doors.tcp(), plan);
      case TCP_PROTOBUF -> new ProtobufLane(doors.tcp(), plan);
      case HTTP -> new HttpLane(doors.http(), plan);
      case MQTT -> new MqttLane(doors.mqtt(), plan);
      case BRIDGE -> new BridgeLane(doors.bridge(), plan);
      case RING -> ring(doors.rings(), plan, number);
    };
  }

  private static InjectionLane ring(@Nullable RingFiles rings, Injection plan, int number)
      throws IOException {
    if (rings == null || number >= rings.paths().size()) {
      throw new IOException("the ring door needs a node that was started here");
    }
    return new RingLane(new RingClient(rings.jar(), rings.paths().get(number)), plan);
  }
}
