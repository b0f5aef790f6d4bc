package io.galop.loadtest.inject;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The parts of MQTT packets, as the OASIS standard has them in its chapters 1.5 and 2. */
public final class MqttBytes {
  private static final int SEVEN_BITS = 0x7f;

  /** Another byte of a number follows. */
  private static final int MORE = 0x80;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public MqttBytes number8(int number) {
    bytes.write(number);
    return this;
  }

  public MqttBytes number16(int number) {
    bytes.write(number >> 8);
    bytes.write(number);
    return this;
  }

  /** With its length before it. */
  public MqttBytes text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return number16(utf8.length).raw(utf8);
  }

  public MqttBytes raw(byte[] content) {
    bytes.writeBytes(content);
    return this;
  }

  /** How long the rest of a packet is, in one to four bytes. */
  MqttBytes length(int length) {
    int rest = length;
    do {
      int digit = rest & SEVEN_BITS;
      rest >>= 7;
      bytes.write(rest > 0 ? digit | MORE : digit);
    } while (rest > 0);
    return this;
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  /**
   * What follows the type of a packet.
   *
   * @throws IOException if it ends before it is whole: of a part it is not known what it says
   */
  public static byte[] rest(DataInputStream in) throws IOException {
    int length = 0;
    int shift = 0;
    int digit;
    do {
      digit = in.readUnsignedByte();
      length |= (digit & SEVEN_BITS) << shift;
      shift += 7;
    } while (digit >= MORE);
    byte[] rest = new byte[length];
    in.readFully(rest);
    return rest;
  }

  /** A packet of that type with what was put together here. */
  public byte[] packet(int type) {
    return new MqttBytes().number8(type).length(bytes.size()).raw(toBytes()).toBytes();
  }
}
