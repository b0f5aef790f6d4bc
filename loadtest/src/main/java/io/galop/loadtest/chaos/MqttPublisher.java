package io.galop.loadtest.chaos;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends messages with QoS 1 over one connection of MQTT 5; a thread of its own reads the PUBACKs.
 * Payloads are envelopes, so that a record keeps its id when it is sent again. Packets are those of
 * the OASIS standard, version 5.0, chapter 3.
 */
final class MqttPublisher extends SteadyPublisher {
  private static final long PAUSE_MS = 20;
  private static final int CONNECT_MS = 3_000;

  /** Below what the door allows. */
  private static final int MOST_UNDER_WAY = 500;

  private static final int PACKET_IDS = 65_535;
  private static final int CONNECT = 0x10;
  private static final int CONNACK = 0x20;
  private static final int PUBLISH_QOS_1 = 0x32;
  private static final int PUBACK = 0x40;
  private static final int REFUSED = 0x80;
  private static final int QUOTA_EXCEEDED = 0x97;
  private static final int UNAVAILABLE = 0x83;
  private static final int SEVEN_BITS = 0x7f;

  MqttPublisher(
      PublishedRecords ledger, String name, List<String> hosts, int topics, double perSecond) {
    super(ledger, name, hosts, topics, perSecond);
  }

  @Override
  void publish(String to) throws IOException, InterruptedException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(to, FaultyNode.MQTT), CONNECT_MS);
      socket.setSoTimeout(PATIENCE_MS);
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      connect(out, in);
      socket.setSoTimeout(0); // isOver says when there is an answer missing
      Answers answers = new Answers(in);
      Deque<PublishedRecords.Entry> entries = new ArrayDeque<>(waiting());
      Thread reader = new Thread(answers, "pubacks");
      reader.setDaemon(true);
      reader.start();
      while (!isClosed() && !answers.isOver()) {
        send(out, entries, answers);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        entries.addAll(due());
      }
    }
    // A PUBACK that was under way is not waited for: the records are sent again.
    throw new IOException("the connection ended");
  }

  private static void connect(OutputStream out, DataInputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text(body, "MQTT");
    body.write(5); // the version
    body.write(0x42); // clean start, a password
    number(body, 0); // no keep-alive
    body.write(0); // no properties
    text(body, "chaos-" + Long.toString(System.nanoTime(), Character.MAX_RADIX));
    text(body, FaultyNode.TOKEN);
    packet(out, CONNECT, body);
    int type = in.readUnsignedByte();
    byte[] answer = packet(in);
    if (type != CONNACK || answer.length < 2 || answer[1] != 0) {
      throw new IOException("the mqtt door does not let it in");
    }
  }

  private static void send(OutputStream out, Deque<PublishedRecords.Entry> entries, Answers answers)
      throws IOException {
    ByteArrayOutputStream packets = new ByteArrayOutputStream();
    while (!entries.isEmpty() && answers.hasRoom()) {
      PublishedRecords.Entry entry = entries.remove();
      entry.attempt();
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      text(body, entry.topic());
      number(body, answers.sent(entry));
      body.write(0); // no properties
      body.writeBytes(entry.envelope().getBytes(StandardCharsets.UTF_8));
      packet(packets, PUBLISH_QOS_1, body);
    }
    packets.writeTo(out);
  }

  private static void packet(OutputStream out, int type, ByteArrayOutputStream body)
      throws IOException {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(type);
    int rest = body.size();
    do {
      int digit = rest & SEVEN_BITS;
      rest >>= 7;
      packet.write(rest > 0 ? digit | REFUSED : digit);
    } while (rest > 0);
    body.writeTo(packet);
    packet.writeTo(out);
  }

  /** A whole one: of a part it would not be known what it says. */
  private static byte[] packet(DataInputStream in) throws IOException {
    byte[] body = new byte[length(in)];
    in.readFully(body);
    return body;
  }

  private static int length(DataInputStream in) throws IOException {
    int length = 0;
    int shift = 0;
    int digit;
    do {
      digit = in.readUnsignedByte();
      length |= (digit & SEVEN_BITS) << shift;
      shift += 7;
    } while (digit > SEVEN_BITS);
    return length;
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    number(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static void number(ByteArrayOutputStream out, int number) {
    out.write(number >> 8);
    out.write(number);
  }

  /** What the door says of one connection's messages. */
  private final class Answers implements Runnable {
    private final DataInputStream in;
    private final Map<Integer, PublishedRecords.Entry> underWay = new HashMap<>();
    private int packetId;
    private long progressNs = System.nanoTime();
    private volatile boolean hasEnded;

    Answers(DataInputStream in) {
      this.in = in;
    }

    synchronized boolean hasRoom() {
      return underWay.size() < MOST_UNDER_WAY;
    }

    /** The packet id that it is sent with. */
    synchronized int sent(PublishedRecords.Entry entry) {
      if (underWay.isEmpty()) {
        progressNs = System.nanoTime();
      }
      packetId = packetId % PACKET_IDS + 1;
      underWay.put(packetId, entry);
      return packetId;
    }

    synchronized boolean isOver() {
      long silentNs = System.nanoTime() - progressNs;
      boolean isLate = silentNs > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
      return hasEnded || isLate && !underWay.isEmpty();
    }

    @Override
    public void run() {
      try {
        while (true) {
          int type = in.readUnsignedByte();
          byte[] body = packet(in);
          if (type != PUBACK || body.length < 2 || !onAnswer(body)) {
            return;
          }
        }
      } catch (IOException e) {
        // Whatever it was, the connection is of no more use.
      } finally {
        hasEnded = true;
      }
    }

    /** Whether to go on. */
    private synchronized boolean onAnswer(byte[] puback) {
      progressNs = System.nanoTime();
      int id = Byte.toUnsignedInt(puback[0]) << 8 | Byte.toUnsignedInt(puback[1]);
      PublishedRecords.Entry entry = underWay.remove(id);
      int reason = puback.length > 2 ? Byte.toUnsignedInt(puback[2]) : 0;
      if (entry == null) {
        ledger().onRefused("a PUBACK of nothing, packet id " + id);
        return false;
      }
      if (reason < REFUSED) {
        entry.acknowledge();
        return true;
      }
      if (reason != QUOTA_EXCEEDED && reason != UNAVAILABLE) {
        ledger().onRefused("PUBACK with reason " + reason);
      }
      return false;
    }
  }
}
