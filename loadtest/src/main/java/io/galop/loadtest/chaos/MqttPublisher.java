package io.galop.loadtest.chaos;

import io.galop.loadtest.inject.MqttBytes;
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

  /** Reasons from here on are refusals. */
  private static final int REFUSED = 0x80;

  private static final int QUOTA_EXCEEDED = 0x97;
  private static final int UNAVAILABLE = 0x83;
  private static final int VERSION = 5;
  private static final int CLEAN_WITH_PASSWORD = 0x42;
  private static final int NO_KEEP_ALIVE = 0;
  private static final int NO_PROPERTIES = 0;

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
    MqttBytes body = new MqttBytes().text("MQTT").number8(VERSION).number8(CLEAN_WITH_PASSWORD);
    body.number16(NO_KEEP_ALIVE).number8(NO_PROPERTIES);
    body.text("chaos-" + Long.toString(System.nanoTime(), Character.MAX_RADIX));
    out.write(body.text(FaultyNode.TOKEN).packet(CONNECT));
    int type = in.readUnsignedByte();
    byte[] answer = MqttBytes.rest(in);
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
      MqttBytes body = new MqttBytes().text(entry.topic()).number16(answers.sent(entry));
      body.number8(NO_PROPERTIES).raw(entry.envelope().getBytes(StandardCharsets.UTF_8));
      packets.writeBytes(body.packet(PUBLISH_QOS_1));
    }
    packets.writeTo(out);
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
          byte[] body = MqttBytes.rest(in);
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
