package io.galop.ingest.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.ingest.mqtt.RawMqtt.Packet;
import io.galop.ingest.mqtt.RawMqtt.Who;
import io.galop.socket.RefusalLog;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** QoS 2, refusals and wills at the mqtt door, byte by byte. */
@Timeout(180)
class MqttSessionTest {
  private static RawMqtt connect(OpenDoors doors, Who who) throws IOException {
    RawMqtt client = new RawMqtt(doors.port("mqtt"), who);
    assertEquals(0, client.next().code(), "CONNACK");
    return client;
  }

  private static void expect(int type, int packetId, int code, Packet packet) {
    assertEquals(type, packet.type());
    assertEquals(packetId, packet.packetId());
    assertEquals(code, packet.code());
  }

  private static List<String> shown(OpenDoors doors) {
    return doors.records().stream().map(r -> r.topic() + " " + OpenDoors.text(r)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void takesAMessageOfQos2Once(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(version, "c"))) {
      Promise<Void> durable = Promise.promise();
      doors.stage(batch -> durable.future());
      client.publish(2, false, 7, "a", "1");
      client.publish(2, true, 7, "a", "1");
      OpenDoors.await(() -> doors.records().size() == 1);
      durable.complete();
      expect(RawMqtt.PUBREC, 7, 0, client.next());
      expect(RawMqtt.PUBREC, 7, 0, client.next());
      client.publish(2, true, 7, "a", "1");
      expect(RawMqtt.PUBREC, 7, 0, client.next());
      client.release(7);
      expect(RawMqtt.PUBCOMP, 7, 0, client.next());
      client.release(7);
      expect(RawMqtt.PUBCOMP, 7, 0, client.next());
      assertEquals(List.of("a {\"value\":1}"), shown(doors));
      client.publish(2, false, 7, "a", "2");
      expect(RawMqtt.PUBREC, 7, 0, client.next());
      assertEquals(List.of("a {\"value\":1}", "a {\"value\":2}"), shown(doors));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void saysPubrecOnlyWhenTheRecordIsAcknowledged(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(version, "c"))) {
      Promise<Void> durable = Promise.promise();
      doors.stage(batch -> durable.future());
      client.publish(2, false, 7, "a", "1");
      OpenDoors.await(() -> doors.records().size() == 1);
      client.send(0xc0, new byte[0]);
      assertEquals(13, client.next().type(), "a ping overtakes what waits for the disk");
      durable.complete();
      expect(RawMqtt.PUBREC, 7, 0, client.next());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void takesNoMessageOfQos2AgainAfterTheConnectionWasLost(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Promise<Void> durable = Promise.promise();
      doors.stage(batch -> durable.future());
      Who who = Who.of(version, "c").kept();
      try (RawMqtt client = connect(doors, who)) {
        client.publish(2, false, 7, "a", "1");
        OpenDoors.await(() -> doors.records().size() == 1);
      }
      try (RawMqtt again = new RawMqtt(doors.port("mqtt"), who)) {
        assertTrue(again.next().sessionPresent());
        again.publish(2, true, 7, "a", "1");
        again.publish(2, false, 8, "a", "2");
        OpenDoors.await(() -> doors.records().size() == 2);
        durable.complete();
        expect(RawMqtt.PUBREC, 7, 0, again.next());
        expect(RawMqtt.PUBREC, 8, 0, again.next());
        again.release(7);
        expect(RawMqtt.PUBCOMP, 7, 0, again.next());
      }
      try (RawMqtt anew = new RawMqtt(doors.port("mqtt"), Who.of(version, "c"))) {
        assertFalse(anew.next().sessionPresent(), "it asked to be forgotten");
      }
      assertEquals(2, doors.records().size());
    }
  }

  /** A client that was restarted without a memory of its own counts from 1 again. */
  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void takesAnotherMessageUnderAPacketIdThatWasNeverReleased(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Who who = Who.of(version, "c").kept();
      try (RawMqtt client = connect(doors, who)) {
        client.publish(2, false, 1, "a", "1");
        expect(RawMqtt.PUBREC, 1, 0, client.next());
      }
      try (RawMqtt restarted = new RawMqtt(doors.port("mqtt"), who)) {
        assertTrue(restarted.next().sessionPresent());
        restarted.publish(2, false, 1, "a", "2");
        expect(RawMqtt.PUBREC, 1, 0, restarted.next());
        restarted.publish(2, true, 1, "a", "2");
        expect(RawMqtt.PUBREC, 1, 0, restarted.next());
        restarted.publish(2, false, 1, "b", "2");
        expect(RawMqtt.PUBREC, 1, 0, restarted.next());
        restarted.release(1);
        expect(RawMqtt.PUBCOMP, 1, 0, restarted.next());
      }
      assertEquals(List.of("a {\"value\":1}", "a {\"value\":2}", "b {\"value\":2}"), shown(doors));
    }
  }

  @Test
  void keepsNoMoreSessionsThanItMay() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.maxSessions=2")) {
      for (String id : List.of("a", "b", "c")) {
        try (RawMqtt client = connect(doors, Who.of(4, id).kept())) {
          client.goodbye();
          assertEquals(RawMqtt.END, client.next().type());
        }
        int kept = Math.min(id.charAt(0) - 'a' + 1, 2);
        OpenDoors.await(
            () -> doors.meters.get("galop.ingest.mqtt.sessions").gauge().value() == kept);
      }
      OpenDoors.await(
          () -> doors.meters.counter("galop.ingest.mqtt.sessions.forgotten").count() == 1);
      for (String id : List.of("a", "c")) {
        try (RawMqtt client = new RawMqtt(doors.port("mqtt"), Who.of(4, id).kept())) {
          assertEquals("c".equals(id), client.next().sessionPresent());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void neverAcknowledgesBeforeVersion5WhatItRefused(int qos) throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged(RefusalLog.class);
        RawMqtt client = connect(doors, Who.of(4, "sensor\n7"))) {
      client.publish(qos, false, 1, "a", "1");
      client.publish(qos, false, 2, "a", "{broken");
      client.publish(qos, false, 3, "a", "3");
      assertEquals(1, client.next().packetId());
      assertEquals(RawMqtt.END, client.next().type());
      assertEquals(List.of("a {\"value\":1}"), shown(doors), "nothing behind what was refused");
      String line = log.with("sensor?7").get(0);
      assertTrue(
          line.startsWith("WARN mqtt client sensor?7: malformed: the data is no JSON"), line);
      assertTrue(line.endsWith("; its connection is ended"), line);
    }
  }

  @Test
  void saysARepeatedRefusalOnce() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged(RefusalLog.class);
        RawMqtt client = connect(doors, Who.of(5, "c"))) {
      for (int i = 1; i <= 500; i++) {
        client.publish(1, false, i, "a", "{");
        expect(RawMqtt.PUBACK, i, 0x99, client.next());
      }
      assertEquals(1, log.with("mqtt client c").size());
    }
  }

  @Test
  void givesTheReasonOfARefusalOfQos2FromVersion5On() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(5, "c"))) {
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      client.publish(2, false, 7, "a", "1");
      Packet end = client.next();
      assertEquals(RawMqtt.DISCONNECT, end.type());
      assertEquals(0x97, end.code());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void endsAConnectionThatHasTooMuchUnanswered(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.maxUnacknowledged=2");
        RawMqtt client = connect(doors, Who.of(version, "c"))) {
      Promise<Void> durable = Promise.promise();
      doors.stage(batch -> durable.future());
      for (int i = 1; i <= 5; i++) {
        client.publish(1, false, i, "a", "1");
      }
      OpenDoors.await(() -> doors.records().size() == 2);
      durable.complete();
      List<Integer> types = new ArrayList<>();
      Packet packet;
      do {
        packet = client.next();
        types.add(packet.type());
      } while (packet.type() == RawMqtt.PUBACK);
      assertEquals(version == 5 ? 4 : 3, types.size(), types.toString());
      assertEquals(version == 5 ? RawMqtt.DISCONNECT : RawMqtt.END, packet.type());
      assertEquals(version == 5 ? 0x93 : 0, packet.code());
      assertEquals(2, doors.records().size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void publishesTheWillOfAClientThatVanishes(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Who who = Who.of(version, "c").withWill("a/state", "offline");
      try (RawMqtt polite = connect(doors, who)) {
        polite.goodbye();
        assertEquals(RawMqtt.END, polite.next().type());
      }
      connect(doors, who).vanish();
      OpenDoors.await(() -> !doors.records().isEmpty());
      assertEquals(List.of("a/state {\"value\":\"offline\"}"), shown(doors));
    }
  }

  @Test
  void publishesTheWillOfAGoodbyeThatAsksForIt() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(5, "c").withWill("a", "{\"up\":false}"))) {
      client.send(0xe0, new byte[] {4});
      OpenDoors.await(() -> !doors.records().isEmpty());
      assertEquals(List.of("a {\"up\":false}"), shown(doors));
    }
  }

  @Test
  void saysThatAClientIsGoneWhereThatIsWanted() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.onWill=gone")) {
      connect(doors, Who.of(4, "c").withWill("a", "offline")).vanish();
      OpenDoors.await(() -> !doors.records().isEmpty());
      assertEquals(List.of("a {\"gone\":true}"), shown(doors));
    }
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.onWill=ignore")) {
      connect(doors, Who.of(4, "c").withWill("$SYS", "{")).vanish();
      try (RawMqtt next = connect(doors, Who.of(4, "d"))) {
        next.publish(1, false, 1, "b", "1");
        assertEquals(RawMqtt.PUBACK, next.next().type());
      }
      assertEquals(List.of("b {\"value\":1}"), shown(doors));
    }
  }

  @Test
  void refusesAtOnceAClientWhoseWillItCouldNotPublish() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged(RefusalLog.class)) {
      int[][] cases = {{4, 5}, {5, 0x90}};
      for (int[] each : cases) {
        Who who = Who.of(each[0], "c").withWill("$SYS/a", "1");
        try (RawMqtt client = new RawMqtt(doors.port("mqtt"), who)) {
          assertEquals(each[1], client.next().code());
          assertEquals(RawMqtt.END, client.next().type());
        }
      }
      Who who = Who.of(5, "c").withWill("a", "{");
      try (RawMqtt client = new RawMqtt(doors.port("mqtt"), who)) {
        assertEquals(0x99, client.next().code());
      }
      assertTrue(doors.taken.isEmpty());
      assertFalse(log.with("its connection is refused").isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void aClientThatComesAgainIsNotReportedGoneAfterwards(int version) throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Who who = Who.of(version, "c").withWill("a", "off");
      try (RawMqtt frozen = connect(doors, who);
          RawMqtt again = connect(doors, who)) {
        again.publish(1, false, 1, "a", "on");
        assertEquals(RawMqtt.PUBACK, again.next().type());
        assertEquals(List.of("a {\"value\":\"off\"}", "a {\"value\":\"on\"}"), shown(doors));
        Packet last = frozen.next();
        assertEquals(version == 5 ? RawMqtt.DISCONNECT : RawMqtt.END, last.type());
        assertEquals(version == 5 ? 0x8e : 0, last.code());
      }
    }
  }

  @Test
  void tellsNoWillsWhenTheNodeStops() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(4, "c").withWill("a", "off"))) {
      doors.undeploy().await();
      assertEquals(RawMqtt.END, client.next().type());
      assertTrue(doors.taken.isEmpty());
    }
  }

  /** A client that gets a packet larger than it takes ends the connection, and comes again. */
  @Test
  void leavesOutAReasonThatTheClientDoesNotTake() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        RawMqtt small = connect(doors, Who.of(5, "small").with(0x27, 0, 0, 0, 32));
        RawMqtt silent = connect(doors, Who.of(5, "silent").with(0x17, 0));
        RawMqtt other = connect(doors, Who.of(5, "other").with(0x27, 0, 0, 2, 0, 0x17, 1))) {
      for (RawMqtt client : List.of(small, silent, other)) {
        client.publish(1, false, 7, "a", "{bad");
        Packet answer = client.next();
        expect(RawMqtt.PUBACK, 7, 0x99, answer);
        assertEquals(client == other, answer.body().length > 4);
      }
    }
  }

  @Test
  void readsNoFurtherWhileItsAnswersAreNotRead() throws Exception {
    int messages = 60_000;
    try (OpenDoors doors = new OpenDoors();
        RawMqtt client = connect(doors, Who.of(5, "deaf"))) {
      Thread sender = new Thread(() -> publishRefused(client, messages));
      sender.start();
      Counter rejected =
          doors
              .meters
              .get("galop.ingest.rejected")
              .tags("door", "mqtt", "reason", "topic_not_allowed")
              .counter();
      double before = 0;
      for (int equal = 0;
          equal < 4;
          equal = before > 0 && rejected.count() == before ? equal + 1 : 0) {
        before = rejected.count();
        Thread.sleep(1_000);
      }
      assertTrue(before < messages, "all were answered: " + before);
      for (int i = 0; i < messages; i++) {
        assertEquals(RawMqtt.PUBACK, client.next().type());
      }
      sender.join();
    }
  }

  private static void publishRefused(RawMqtt client, int messages) {
    try {
      for (int i = 0; i < messages; i++) {
        client.publish(1, false, 1, "x".repeat(300), "1");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
