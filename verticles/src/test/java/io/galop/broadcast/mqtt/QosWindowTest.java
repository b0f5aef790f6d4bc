package io.galop.broadcast.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.packet.PublishPacket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is in flight to one client. */
class QosWindowTest {
  private static QosWindow.Item item(io.galop.broadcast.sockjs.Frame frame) {
    return new QosWindow.Item(frame, MqttSubscriptionTest.subscription(), 2, PublishPacket.NOTHING);
  }

  private static QosWindow withRecords(int most, int records) {
    QosWindow window = new QosWindow(most);
    for (int i = 0; i < records; i++) {
      window.add(item(MqttSubscriptionTest.record(i)));
    }
    return window;
  }

  private static List<Integer> sent(QosWindow window) {
    List<Integer> ids = new ArrayList<>();
    for (QosWindow.Item next = window.next(); next != null; next = window.next()) {
      ids.add(next.packetId());
    }
    return ids;
  }

  private static int settled(QosWindow window) {
    int count = 0;
    while (window.settled() != null) {
      count++;
    }
    return count;
  }

  @Test
  void noMoreAreInFlightThanTheClientTakes() {
    QosWindow window = withRecords(2, 3);
    assertEquals(List.of(1, 2), sent(window));
    assertEquals(2, window.unacknowledged());
    assertTrue(window.acknowledge(1));
    assertEquals(List.of(3), sent(window));
  }

  @Test
  void theyAreSettledInOrderHoweverTheyAreAcknowledged() {
    QosWindow window = withRecords(3, 3);
    sent(window);
    assertTrue(window.acknowledge(2));
    assertEquals(0, settled(window));
    assertTrue(window.acknowledge(1));
    assertEquals(2, settled(window));
    assertFalse(window.acknowledge(1), "twice");
    assertFalse(window.acknowledge(99), "never sent");
  }

  /** The word that all is there comes true when all before it is acknowledged. */
  @Test
  void aWordDoesNotOvertakeTheRecordsBeforeIt() {
    QosWindow window = withRecords(1, 2);
    window.add(item(MqttSubscriptionTest.live("1.1-9")));
    assertEquals(List.of(1), sent(window));
    window.acknowledge(1);
    assertEquals(1, settled(window));
    assertEquals(List.of(2, 0), sent(window));
    assertNull(window.settled());
    window.acknowledge(2);
    assertNotNull(window.settled());
    assertFalse(window.settled().frame().isRecord());
    assertTrue(window.isEmpty());
  }

  @Test
  void idsBeginAnewAndAreNeverInUse() {
    QosWindow window = new QosWindow(65_535);
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < 65_535; i++) {
      window.add(item(MqttSubscriptionTest.record(1)));
    }
    ids.addAll(sent(window));
    assertEquals(65_535, ids.stream().distinct().count());
    window.add(item(MqttSubscriptionTest.record(1)));
    assertNull(window.next());
    window.acknowledge(2);
    assertNull(window.next(), "its id is behind one that is in use");
    window.acknowledge(1);
    assertEquals(2, settled(window));
    assertEquals(List.of(1), sent(window));
  }
}
