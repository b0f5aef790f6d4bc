package io.galop.e2e;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Packets of MQTT 5 by hand, for what no client does. */
final class RawPackets {
  private RawPackets() {}

  private interface Body {
    void write(DataOutputStream to) throws IOException;
  }

  private static byte[] packet(int type, Body body) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    body.write(new DataOutputStream(rest));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(type);
    int left = rest.size();
    for (; left >= 0x80; left >>>= 7) {
      all.write(left & 0x7f | 0x80);
    }
    all.write(left);
    rest.writeTo(all);
    return all.toByteArray();
  }

  private static void text(DataOutputStream to, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    to.writeShort(bytes.length);
    to.write(bytes);
  }

  /** With the token as the password, and so many messages of QoS 1 at a time. */
  static byte[] connect(String token, int receiveMaximum) throws IOException {
    return connect("", token, receiveMaximum);
  }

  /** The same of a client with an id. */
  static byte[] connect(String clientId, String token, int receiveMaximum) throws IOException {
    return packet(
        0x10,
        to -> {
          text(to, "MQTT");
          to.writeByte(5);
          to.writeByte(0x42); // a password, a clean start
          to.writeShort(0);
          to.writeByte(3);
          to.writeByte(0x21);
          to.writeShort(receiveMaximum);
          text(to, clientId);
          text(to, token);
        });
  }

  /** With QoS 1. */
  static byte[] subscribe(String filter) throws IOException {
    return packet(
        0x82,
        to -> {
          to.writeShort(1);
          to.writeByte(0);
          text(to, filter);
          to.writeByte(1);
        });
  }

  /** Passes over the length and the rest of a packet whose first byte was read. */
  static void skip(DataInputStream in) throws IOException {
    int length = 0;
    int shift = 0;
    int one;
    do {
      one = in.readUnsignedByte();
      length |= (one & 0x7f) << shift;
      shift += 7;
    } while (one >= 0x80);
    in.skipNBytes(length);
  }
}
