package io.galop.ingest.mqtt;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A client of the mqtt door that writes its packets by hand, so that it can do what none should.
 */
public final class RawMqtt implements AutoCloseable {
  public static final int CONNACK = 2;
  public static final int PUBACK = 4;
  static final int PUBREC = 5;
  static final int PUBCOMP = 7;
  static final int DISCONNECT = 14;
  static final int END = -1;

  /** Who connects, and with what will; one without a topic has none. */
  public record Who(
      int version,
      String clientId,
      boolean clean,
      String willTopic,
      String willMessage,
      List<Integer> properties) {
    public static Who of(int version, String clientId) {
      return new Who(version, clientId, true, "", "", List.of());
    }

    Who kept() {
      List<Integer> expiry = List.of(0x11, 0, 0, 1, 0);
      return new Who(version, clientId, false, willTopic, willMessage, expiry);
    }

    Who withWill(String topic, String message) {
      return new Who(version, clientId, clean, topic, message, properties);
    }

    /** With these bytes as properties of its CONNECT, from version 5 on. */
    Who with(Integer... bytes) {
      return new Who(version, clientId, clean, willTopic, willMessage, List.of(bytes));
    }
  }

  /** A packet from the door: its type, or {@link #END}, and what follows the fixed header. */
  public record Packet(int type, byte[] body) {
    int packetId() {
      return (body[0] & 0xff) << 8 | body[1] & 0xff;
    }

    /** Of CONNACK and, from version 5 on, of the others; 0 where there is none. */
    int code() {
      int at = type == DISCONNECT ? 0 : type == CONNACK ? 1 : 2;
      return body.length > at ? body[at] & 0xff : 0;
    }

    boolean sessionPresent() {
      return body[0] == 1;
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final int version;

  public RawMqtt(int port, Who who) throws IOException {
    this.socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(socket.getInputStream());
    this.version = who.version;
    connect(who);
  }

  private void connect(Who who) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text(body, "MQTT");
    boolean will = !who.willTopic.isEmpty();
    body.write(version);
    body.write((who.clean ? 2 : 0) | (will ? 4 : 0));
    body.write(0);
    body.write(60);
    if (version == 5) {
      body.write(who.properties.size());
      who.properties.forEach(body::write);
    }
    text(body, who.clientId);
    if (will) {
      if (version == 5) {
        body.write(0);
      }
      text(body, who.willTopic);
      text(body, who.willMessage);
    }
    send(0x10, body.toByteArray());
  }

  private static void text(ByteArrayOutputStream to, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    to.write(utf8.length >> 8);
    to.write(utf8.length);
    to.writeBytes(utf8);
  }

  /** Writes a packet with this first byte. */
  void send(int first, byte[] body) throws IOException {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(first);
    int left = body.length;
    do {
      packet.write(left > 127 ? left & 127 | 128 : left);
      left >>= 7;
    } while (left > 0);
    packet.writeBytes(body);
    socket.getOutputStream().write(packet.toByteArray());
  }

  /** Publishes; a second time under the same id where {@code again}. */
  public void publish(int qos, boolean again, int packetId, String topic, String payload)
      throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text(body, topic);
    if (qos > 0) {
      body.write(packetId >> 8);
      body.write(packetId);
    }
    if (version == 5) {
      body.write(0);
    }
    body.writeBytes(payload.getBytes(StandardCharsets.UTF_8));
    send(0x30 | qos << 1 | (again ? 8 : 0), body.toByteArray());
  }

  /** Says PUBREL. */
  void release(int packetId) throws IOException {
    send(0x62, new byte[] {(byte) (packetId >> 8), (byte) packetId});
  }

  void goodbye() throws IOException {
    send(0xe0, new byte[0]);
  }

  /** The next packet from the door. */
  public Packet next() throws IOException {
    int first = read();
    if (first < 0) {
      return new Packet(END, new byte[0]);
    }
    int length = 0;
    int shift = 0;
    int digit;
    do {
      digit = in.readUnsignedByte();
      length |= (digit & 127) << shift;
      shift += 7;
    } while (digit > 127);
    return new Packet(first >> 4, in.readNBytes(length));
  }

  private int read() throws IOException {
    try {
      return in.read();
    } catch (java.net.SocketException reset) {
      return -1;
    }
  }

  /** The socket ends without a word. */
  void vanish() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
