package io.galop.broadcast;

import io.galop.broadcast.mqtt.MqttRefused;
import io.galop.broadcast.mqtt.MqttSeat;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What one viewer has registered, in the words of MQTT. On the Hub's event loop. */
record MqttViewer(Conversation conversation) implements MqttSeat {
  @Override
  public void register(String filter, JsonObject headers) throws MqttRefused {
    List<MqttRefused> refused = new ArrayList<>(1); // at once: MQTT names no condition
    conversation
        .registrar()
        .register(
            filter, headers, (word, message) -> refused.add(new MqttRefused(code(word), message)));
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
  }

  private static int code(String word) {
    return switch (word) {
      case "access_denied" -> MqttRefused.NOT_AUTHORIZED;
      case "max_handlers_reached" -> MqttRefused.QUOTA;
      case "invalid_address" -> MqttRefused.BAD_FILTER;
      default -> MqttRefused.OTHER;
    };
  }

  @Override
  public void showAgain(String filter) {
    conversation.registrar().showAgain(filter);
  }

  @Override
  public void unregister(String filter) {
    conversation.registrar().unregister(filter);
  }

  @Override
  public void closed() {
    conversation.onClosed();
  }
}
