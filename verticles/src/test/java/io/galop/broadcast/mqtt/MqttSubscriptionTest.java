package io.galop.broadcast.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a client's subscription goes on when it comes back. */
class MqttSubscriptionTest {
  private static final Frame.Opening OPENING = new Frame.Opening("a/#", "{\"body\":");
  private static final int RETAIN = 1;

  static MqttSubscription subscription() {
    return new MqttSubscription(new MqttSubscription.Options(1, false, 0), Map.of());
  }

  private static Entry entry(int offset) {
    return entry("a/1", offset);
  }

  private static Entry entry(String topic, int offset) {
    byte[] data = "{}".getBytes(StandardCharsets.UTF_8);
    return Entry.of(new Position(1, 1, offset), new Record("r" + offset, topic, 5, data));
  }

  static Frame record(int offset) {
    return record("a/1", offset);
  }

  static Frame record(String topic, int offset) {
    return Frame.ofRecord(OPENING, entry(topic, offset).remainder());
  }

  private static Frame past(int offset) {
    Entry entry = entry(offset);
    return Frame.ofRecord(OPENING, entry.aged(entry.remainder(), false));
  }

  static Frame live(String positions) {
    return Frame.ofControl(
        "{\"type\":\"live\",\"address\":\"a/#\",\"pos\":\"" + positions + "\",\"body\":{}}");
  }

  @Test
  void itGoesOnBehindTheLastRecordThatItHas() {
    MqttSubscription subscription = subscription();
    subscription.settled(live("0.1-3,1.1-4"));
    subscription.settled(record(5));
    subscription.settled(record(6));
    assertEquals(Optional.of("0.1-3,1.1-6"), subscription.since());
  }

  /** Who was cut off in the middle of a snapshot has no place to go on from. */
  @Test
  void aSnapshotCountsWhenItIsOver() {
    MqttSubscription subscription = subscription();
    subscription.settled(past(7));
    assertEquals(Optional.empty(), subscription.since());
    subscription.settled(live("1.1-7"));
    assertEquals(Optional.of("1.1-7"), subscription.since());
  }

  /** It may overtake records that were missed and are still on their way. */
  @Test
  void aSnapshotThatIsShownAgainMovesNothing() {
    MqttSubscription subscription = subscription();
    subscription.settled(live("1.1-4"));
    subscription.settled(past(9));
    assertEquals(Optional.of("1.1-4"), subscription.since());
  }

  @Test
  void aGapHasNoPlaceUntilItIsMadeUpFor() {
    MqttSubscription subscription = subscription();
    subscription.settled(live("0.1-3,1.1-4"));
    subscription.resumed(false);
    assertEquals(Optional.empty(), subscription.since());
    subscription.settled(live("1.2-0"));
    assertEquals(Optional.of("0.1-3,1.2-0"), subscription.since());
  }

  /** Another node has less than the client was shown, and shows it what it has. */
  @Test
  void aSnapshotInPlaceOfWhatWasMissedMayLieBefore() {
    MqttSubscription subscription = subscription();
    subscription.settled(live("0.1-3,1.1-9"));
    subscription.resumed(false);
    subscription.settled(live("0.1-3,1.1-7"));
    assertEquals(Optional.of("0.1-3,1.1-7"), subscription.since());
    subscription.settled(live("1.1-6"));
    assertEquals(Optional.of("0.1-3,1.1-7"), subscription.since(), "nothing was missing");
  }

  @Test
  void whatWasMissedIsNewAndASnapshotIsRetained() {
    MqttSubscription subscription = subscription();
    PublishPacket packet = past(7).packet();
    assertEquals(RETAIN, subscription.flags(packet) & RETAIN);
    subscription.resumed(true);
    assertEquals(0, subscription.flags(packet) & RETAIN);
    subscription.present();
    assertEquals(RETAIN, subscription.flags(packet) & RETAIN);
    assertEquals(0, subscription.flags(record(8).packet()) & RETAIN);
    subscription.change(new MqttSubscription.Options(0, true, 0));
    assertEquals(RETAIN, subscription.flags(record(8).packet()));
  }

  @Test
  void theFirstPublishAfterAGapSaysSo() {
    MqttSubscription subscription =
        new MqttSubscription(new MqttSubscription.Options(0, false, 300), Map.of());
    byte[] usual = subscription.own();
    assertEquals(3, usual.length, "an identifier of two bytes");
    subscription.resumed(false);
    byte[] first = subscription.own();
    String text = new String(first, StandardCharsets.UTF_8);
    assertTrue(text.contains("resumed") && text.contains("incomplete"), text);
    assertEquals(usual.length, subscription.own().length);
  }

  @Test
  void onlyWhoWantsNothingOfItsOwnSharesBytes() {
    assertTrue(plain(0, false, 0));
    assertFalse(plain(1, false, 0));
    assertFalse(plain(0, true, 0));
    assertFalse(plain(0, false, 1));
  }

  private static boolean plain(int qos, boolean asPublished, int id) {
    return new MqttSubscription(new MqttSubscription.Options(qos, asPublished, id), Map.of())
        .isPlain();
  }
}
