package io.galop.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.alarm.AlarmsConfig;
import io.galop.jvm.Moment;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What finds no room waits for it, and counts once. */
class AlarmRoomTest {
  private static final String RULES =
      "alarms:\n  maxStanding: 1\n  rules: [{name: hot, topics: s/+, when: {limit: {field: c,"
          + " above: 80}}}]";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> raised = new ArrayList<>();

  private final AlarmSink sink =
      new AlarmSink() {
        @Override
        public void changed(int shard, AlarmState now) {
          raised.add(now.topic() + " " + now.word().word());
        }

        @Override
        public void restated(int shard, AlarmState now) {}

        @Override
        public void found(AlarmState state) {}

        @Override
        public void gone(AlarmState state) {}
      };

  private static Moment at(long ms) {
    return new Moment(ms, ms);
  }

  private double refused() {
    return registry.get("galop.alarms.refused").counter().count();
  }

  @Test
  void anAlarmThatWaitsForRoomCountsOnceAndIsRaisedThen() throws Exception {
    AlarmsConfig config = ConfigLoader.parse(RULES, "t").alarms();
    AlarmRoom room = new AlarmRoom(config, new AlarmMeters(registry));
    ShardAlarms alarms = new ShardAlarms(0, RuleSet.of(config.rules()), room, sink);
    see(alarms, "s/1", 90, 1);
    see(alarms, "s/2", 90, 2);
    for (int ms = 10; ms < 2_000; ms += 250) {
      alarms.tick(at(ms));
    }
    assertEquals(List.of("s/1 unacknowledged"), raised);
    assertEquals(1, refused());
    assertTrue(room.wasRefused());
    alarms.order("hot", "s/1", new AlarmEvent.Acknowledge("anna", 2_000));
    see(alarms, "s/1", 20, 3);
    alarms.tick(at(2_250));
    assertTrue(raised.contains("s/2 unacknowledged"), raised::toString);
    assertEquals(1, refused());
    room.wasRefused();
    alarms.tick(at(2_500));
    assertFalse(room.wasRefused(), "there is room for all");
    see(alarms, "s/3", 90, 4);
    assertEquals(2, refused());
  }

  private static void see(ShardAlarms alarms, String topic, int value, long offset) {
    byte[] data = ("{\"c\":" + value + "}").getBytes(StandardCharsets.UTF_8);
    alarms.look(new Record("i" + offset, topic, 0, data), 1, offset, at(offset));
  }
}
