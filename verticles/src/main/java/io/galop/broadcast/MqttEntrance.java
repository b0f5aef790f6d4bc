package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.Edge;
import io.galop.broadcast.edge.EdgeRefusal;
import io.galop.broadcast.edge.TokenRefused;
import io.galop.broadcast.mqtt.MqttAudience;
import io.galop.broadcast.mqtt.MqttRefused;
import io.galop.broadcast.mqtt.MqttSeat;
import io.galop.broadcast.sockjs.Transport;
import java.util.Optional;

/** Lets viewers in that come by MQTT, into the Hub of one event loop. On that loop. */
final class MqttEntrance implements MqttAudience<Admission> {
  private final Edge edge;
  private final LiveLoop loop;

  MqttEntrance(Edge edge, LiveLoop loop) {
    this.edge = edge;
    this.loop = loop;
  }

  @Override
  public Admission enter(String token, String site) throws MqttRefused {
    Admission admission;
    try {
      admission = edge.admit(token, site);
    } catch (TokenRefused e) {
      int code = e.isForNow() ? MqttRefused.UNAVAILABLE : MqttRefused.BAD_TOKEN;
      throw new MqttRefused(code, e.getMessage());
    }
    Optional<EdgeRefusal> refusal = admission.enter();
    if (refusal.isPresent()) {
      throw new MqttRefused(code(refusal.get()), refusal.get().message());
    }
    return admission;
  }

  private static int code(EdgeRefusal refusal) {
    return switch (refusal.status()) {
      case 401 -> MqttRefused.BAD_TOKEN;
      case 429 -> MqttRefused.TOO_FAST;
      default -> MqttRefused.UNAVAILABLE;
    };
  }

  @Override
  public String owner(Admission admission) {
    return admission.subject();
  }

  @Override
  public void leave(Admission admission) {
    admission.leave();
  }

  @Override
  public MqttSeat connected(Transport transport, Admission admission) {
    return new MqttViewer(loop.connected(transport, admission));
  }
}
