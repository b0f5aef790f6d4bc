package io.galop.broadcast.mqtt;

import io.galop.broadcast.packet.PublishPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** The packets that a server sends besides PUBLISH, as bytes (MQTT 3.1.1 and 5, chapter 3). */
final class MqttReplies {
  static final int PUBACK = 0x40;
  static final int PUBREC = 0x50;

  private static final int CONNACK = 0x20;
  private static final int SUBACK = 0x90;
  private static final int UNSUBACK = 0xb0;
  private static final int PINGRESP = 0xd0;
  private static final int DISCONNECT = 0xe0;
  private static final int SESSION_EXPIRY = 0x11;
  private static final int ASSIGNED_CLIENT_ID = 0x12;
  private static final int REASON = 0x1f;
  private static final int MAXIMUM_PACKET_SIZE = 0x27;
  private static final int SHARED_SUBSCRIPTIONS = 0x2a;
  private static final int MOST_REASON_BYTES = 1000;

  private MqttReplies() {}

  private static ByteBuf packet(int type, ByteBuf rest) {
    ByteBuf head = Unpooled.buffer(5 + rest.readableBytes()).writeByte(type);
    PublishPacket.writeVarint(head, rest.readableBytes());
    return head.writeBytes(rest);
  }

  private static ByteBuf with(ByteBuf to, ByteBuf properties) {
    PublishPacket.writeVarint(to, properties.readableBytes());
    return to.writeBytes(properties);
  }

  private static ByteBuf text(ByteBuf to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return to.writeShort(bytes.length).writeBytes(bytes);
  }

  private static ByteBuf reason(String sentence) {
    int end = Math.min(sentence.length(), MOST_REASON_BYTES);
    return sentence.isEmpty()
        ? Unpooled.EMPTY_BUFFER
        : text(Unpooled.buffer().writeByte(REASON), sentence.substring(0, end));
  }

  /**
   * The client is let in. Where it takes no packet of that size it is told what it has to know
   * only; the rest it hears when it goes beyond it.
   */
  static ByteBuf accepted(MqttGreeting greeting, boolean isPresent, int maxPacketBytes) {
    ByteBuf all = accepted(greeting, isPresent, maxPacketBytes, true);
    long most = greeting.maxPacketBytes();
    return most == 0 || all.readableBytes() <= most
        ? all
        : accepted(greeting, isPresent, maxPacketBytes, false);
  }

  private static ByteBuf accepted(
      MqttGreeting greeting, boolean isPresent, int maxPacketBytes, boolean isAll) {
    ByteBuf rest = Unpooled.buffer().writeByte(isPresent ? 1 : 0).writeByte(0);
    if (greeting.isFive()) {
      ByteBuf properties = Unpooled.buffer();
      if (isAll) {
        properties.writeByte(MAXIMUM_PACKET_SIZE).writeInt(maxPacketBytes);
        properties.writeByte(SHARED_SUBSCRIPTIONS).writeByte(0);
      }
      if (greeting.keepSeconds() != greeting.askedSeconds()) {
        properties.writeByte(SESSION_EXPIRY).writeInt((int) greeting.keepSeconds());
      }
      if (!greeting.isNamed()) {
        text(properties.writeByte(ASSIGNED_CLIENT_ID), greeting.clientId());
      }
      with(rest, properties);
    }
    return packet(CONNACK, rest);
  }

  /** The client is not let in. */
  static ByteBuf refused(boolean isFive, int code, String sentence) {
    ByteBuf rest = Unpooled.buffer().writeByte(0);
    if (!isFive) {
      return packet(CONNACK, rest.writeByte(MqttRefused.before5(code)));
    }
    return packet(CONNACK, with(rest.writeByte(code), reason(sentence)));
  }

  /**
   * Answers a SUBSCRIBE.
   *
   * @param codes by filter, of MQTT 5
   */
  static ByteBuf subscribed(boolean isFive, int packetId, byte[] codes, String sentence) {
    return packet(SUBACK, codes(isFive, packetId, codes, sentence));
  }

  /** Answers an UNSUBSCRIBE, where before MQTT 5 there are no codes. */
  static ByteBuf unsubscribed(boolean isFive, int packetId, byte[] codes) {
    byte[] known = isFive ? codes : new byte[0];
    return packet(UNSUBACK, codes(isFive, packetId, known, ""));
  }

  private static ByteBuf codes(boolean isFive, int packetId, byte[] codes, String sentence) {
    ByteBuf rest = Unpooled.buffer().writeShort(packetId);
    if (isFive) {
      return with(rest, reason(sentence)).writeBytes(codes);
    }
    for (byte code : codes) {
      rest.writeByte(code < 0 ? 0x80 : code);
    }
    return rest;
  }

  /**
   * Refuses a message of MQTT 5.
   *
   * @param type {@link #PUBACK} or {@link #PUBREC}
   */
  static ByteBuf notTaken(int type, int packetId, String sentence) {
    ByteBuf rest = Unpooled.buffer().writeShort(packetId).writeByte(MqttRefused.NOT_AUTHORIZED);
    return packet(type, with(rest, reason(sentence)));
  }

  static ByteBuf pong() {
    return packet(PINGRESP, Unpooled.EMPTY_BUFFER);
  }

  /** The server ends the connection; there is no such packet before MQTT 5. */
  static ByteBuf goodbye(int code, String sentence) {
    return packet(DISCONNECT, with(Unpooled.buffer().writeByte(code), reason(sentence)));
  }
}
