package io.galop.broadcast.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import io.galop.record.Record;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What Netty's decoder makes of the bytes. */
class PublishPacketTest {
  private static final byte[] CONNECT_3 = {
    0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'a'
  };
  private static final byte[] CONNECT_5 = {
    0x10, 14, 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 0, 0, 0, 1, 'a'
  };

  private static Entry entry(String topic, String id, String data) {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    return Entry.of(new Position(3, 7, 42), new Record(id, topic, 1_700_000_000_000_001L, bytes));
  }

  private static MqttPublishMessage decoded(
      PublishPacket packet, boolean isFive, int flags, int packetId, byte[] own) {
    ByteBuf bytes = Unpooled.buffer();
    packet.write(bytes, isFive, flags, packetId, own);
    assertEquals(packet.size(isFive, flags, own), bytes.readableBytes());
    EmbeddedChannel channel = new EmbeddedChannel(new MqttDecoder(100_000));
    channel.writeInbound(Unpooled.wrappedBuffer(isFive ? CONNECT_5 : CONNECT_3));
    channel.readInbound();
    channel.writeInbound(bytes);
    MqttPublishMessage message = channel.readInbound();
    assertTrue(message.decoderResult().isSuccess(), () -> "" + message.decoderResult());
    return message;
  }

  private static Map<String, String> user(MqttPublishMessage message) {
    MqttProperties properties = message.variableHeader().properties();
    Map<String, String> all = new TreeMap<>();
    if (properties.getProperty(MqttProperties.USER_PROPERTY) instanceof UserProperties pairs) {
      pairs.value().forEach(pair -> all.put(pair.key, pair.value));
    }
    return all;
  }

  private static String payload(MqttPublishMessage message) {
    return message.payload().toString(StandardCharsets.UTF_8);
  }

  @Test
  void theDataIsThePayload() {
    Entry entry = entry("race/1", "r1", "{\"n\":1,\"s\":\"},\\\"headers\\\":{\"}");
    PublishPacket packet = PublishPacket.ofRecord(entry.remainder());
    MqttPublishMessage message = decoded(packet, false, packet.flags(), 0, PublishPacket.NOTHING);
    assertEquals("race/1", message.variableHeader().topicName());
    assertEquals("{\"n\":1,\"s\":\"},\\\"headers\\\":{\"}", payload(message));
    assertFalse(message.fixedHeader().isRetain());
    assertEquals(0, message.fixedHeader().qosLevel().value());
  }

  @Test
  void idTimeAndPositionAreUserPropertiesFrom5On() {
    Entry entry = entry("a/\"é\"\\", "i\"d", "{}");
    PublishPacket packet = PublishPacket.ofRecord(entry.remainder());
    int flags = PublishPacket.flags(1, true);
    byte[] own = PublishPacket.userProperty("resumed", "incomplete");
    MqttPublishMessage message = decoded(packet, true, flags, 77, own);
    assertEquals("a/\"é\"\\", message.variableHeader().topicName());
    assertEquals(77, message.variableHeader().packetId());
    assertEquals("{}", payload(message));
    assertTrue(message.fixedHeader().isRetain());
    assertEquals(
        Map.of(
            "id", "i\"d",
            "time", "1700000000000001",
            "pos", "3.7-42",
            "resumed", "incomplete"),
        user(message));
  }

  @Test
  void whatIsFromBeforeThePresentSaysHowOldItIs() {
    Entry entry = entry("a", "r1", "{\"x\":1}");
    byte[] aged = entry.aged(entry.remainder(), true);
    PublishPacket packet = PublishPacket.ofRecord(aged);
    assertTrue(packet.isPast());
    MqttPublishMessage message = decoded(packet, true, packet.flags(), 0, PublishPacket.NOTHING);
    assertTrue(message.fixedHeader().isRetain());
    assertEquals("{\"x\":1}", payload(message));
    assertEquals("true", user(message).get("stale"));
    assertTrue(Long.parseLong(user(message).get("age")) > 0);
  }

  @Test
  void clientsOfMqttTakeNoControlsAndNoncharacters() {
    for (String strange : List.of("a\u0085", "a/\ufffe", "\ufdd0", "x\ud83f\udfff", "a\u007f")) {
      PublishPacket topic = PublishPacket.ofRecord(entry(strange, "r1", "{}").remainder());
      assertFalse(topic.isTaken(false));
      assertFalse(topic.isTaken(true));
      assertFalse(topic.shownTopic().contains(strange), topic.shownTopic());
      PublishPacket id = PublishPacket.ofRecord(entry("a", strange, "{}").remainder());
      assertTrue(id.isTaken(false), "it has no place there");
      assertFalse(id.isTaken(true));
    }
    PublishPacket plain =
        PublishPacket.ofRecord(entry("a/é\ufffd😀", "ü", "{\"x\":\"\u0085\"}").remainder());
    assertTrue(plain.isTaken(true));
    assertEquals("a/é\ufffd😀", plain.shownTopic());
  }

  @Test
  void largeOnesHaveLongLengths() {
    Entry entry = entry("a", "r1", "{\"x\":\"" + "y".repeat(20_000) + "\"}");
    PublishPacket packet = PublishPacket.ofRecord(entry.remainder());
    assertEquals(20_008, payload(decoded(packet, true, 0, 0, PublishPacket.NOTHING)).length());
  }
}
