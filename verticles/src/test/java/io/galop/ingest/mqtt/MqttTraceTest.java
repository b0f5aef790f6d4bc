package io.galop.ingest.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.ingest.OpenDoors;
import io.galop.record.TraceContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which trace a message names: MQTT 5 in a user property, MQTT 3.1.1 never. */
@Timeout(180)
class MqttTraceTest {
  private static final String SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static void text(ByteArrayOutputStream to, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    to.write(utf8.length >> 8);
    to.write(utf8.length);
    to.writeBytes(utf8);
  }

  /** A PUBLISH of QoS 1 with user properties. */
  private static byte[] message(int packetId, String... properties) {
    ByteArrayOutputStream pairs = new ByteArrayOutputStream();
    for (int i = 0; i < properties.length; i += 2) {
      pairs.write(0x26);
      text(pairs, properties[i]);
      text(pairs, properties[i + 1]);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text(body, "a");
    body.write(packetId >> 8);
    body.write(packetId);
    body.write(pairs.size());
    body.writeBytes(pairs.toByteArray());
    body.writeBytes("{}".getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }

  @Test
  void aUserPropertyNamesIt() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.node.lateness().traces(reached -> {});
      try (RawMqtt mqtt = new RawMqtt(doors.port("mqtt"), RawMqtt.Who.of(5, "sensor"))) {
        assertEquals(RawMqtt.CONNACK, mqtt.next().type());
        mqtt.send(0x32, message(1, "colour", "red", "traceparent", SAMPLED));
        assertEquals(RawMqtt.PUBACK, mqtt.next().type());
        mqtt.send(0x32, message(2, "colour", "red"));
        assertEquals(RawMqtt.PUBACK, mqtt.next().type());
        mqtt.send(0x32, message(3, "traceparent", "none"));
        assertEquals(RawMqtt.PUBACK, mqtt.next().type());
      }
      assertEquals(TraceContext.parse(SAMPLED), doors.taken.get(0).stamp().trace());
      assertEquals("mqtt", doors.taken.get(0).stamp().door());
      assertEquals(null, doors.taken.get(1).stamp().trace());
      assertEquals(null, doors.taken.get(2).stamp().trace());
      assertEquals(1, doors.meters.counter("galop.ingest.traces.invalid", "door", "mqtt").count());
    }
  }

  @Test
  void before5ThereIsNone() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.node.lateness().traces(reached -> {});
      try (RawMqtt mqtt = new RawMqtt(doors.port("mqtt"), RawMqtt.Who.of(4, "sensor"))) {
        assertEquals(RawMqtt.CONNACK, mqtt.next().type());
        mqtt.publish(1, false, 1, "a", "{}");
        assertEquals(RawMqtt.PUBACK, mqtt.next().type());
      }
      assertEquals(null, doors.taken.get(0).stamp().trace());
    }
  }
}
