package io.galop.alarm;

import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An alarm as a record, from which it can be made again, and as JSON in answers. */
final class AlarmRecord {
  private AlarmRecord() {}

  /** The record of a state. Its id says which change of which occurrence it is. */
  static Record of(AlarmState state) {
    JsonObject data =
        json(state)
            .put("acknowledged", state.isAcknowledged())
            .put("suppressed", state.isSuppressed())
            .put("reason", state.reason())
            .put("cause", state.cause())
            .put("step", state.step())
            .put("told", new JsonArray(state.told().stream().sorted().toList()));
    return new Record(
        state.cause() + "." + state.step(),
        Topic.ALARM + state.id(),
        TimeUnit.MILLISECONDS.toMicros(state.changedMs()),
        data.toBuffer().getBytes());
  }

  /** As in answers. */
  static JsonObject json(AlarmState state) {
    return new JsonObject()
        .put("id", state.id())
        .put("rule", state.rule())
        .put("topic", state.topic())
        .put("state", state.word().word())
        .put("active", state.isActive())
        .put("severity", state.severity().word())
        .put("text", state.text())
        .put("value", value(state.value()))
        .put("since", state.sinceMs())
        .put("changed", state.changedMs())
        .put("by", state.by().isEmpty() ? null : state.by())
        .put("until", state.untilMs() == 0 ? null : state.untilMs());
  }

  private static @Nullable Object value(String json) {
    try {
      return json.isEmpty() ? null : Json.decodeValue(json);
    } catch (DecodeException e) {
      return json;
    }
  }

  /** Gives the states that the alarms' records among others tell. */
  static void read(List<Placed> records, Consumer<AlarmState> found) {
    for (Placed placed : records) {
      if (placed.record().topic().startsWith(Topic.ALARM)) {
        read(placed.record()).ifPresent(found);
      }
    }
  }

  /** The state that a record tells; empty if it tells none. */
  static Optional<AlarmState> read(Record record) {
    try {
      JsonObject data = new JsonObject(Buffer.buffer(record.data()));
      Set<String> told = new HashSet<>();
      data.getJsonArray("told").forEach(one -> told.add(String.valueOf(one)));
      Object value = data.getValue("value");
      return Optional.of(
          new AlarmState(
              data.getString("rule"),
              data.getString("topic"),
              Severity.valueOf(data.getString("severity").toUpperCase(Locale.ROOT)),
              data.getBoolean("active"),
              data.getBoolean("acknowledged"),
              data.getBoolean("suppressed"),
              data.getLong("until", 0L) == null ? 0 : data.getLong("until"),
              data.getString("text"),
              value == null ? "" : Json.encode(value),
              data.getLong("since"),
              data.getLong("changed"),
              data.getString("by") == null ? "" : data.getString("by"),
              data.getString("reason"),
              data.getString("cause"),
              data.getLong("step"),
              told));
    } catch (DecodeException
        | ClassCastException
        | NullPointerException
        | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
