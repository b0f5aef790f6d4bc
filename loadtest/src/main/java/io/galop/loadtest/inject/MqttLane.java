package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The mqtt door: MQTT 3.1.1 with QoS 1, a PUBLISH for each record. */
final class MqttLane extends SocketLane {
  private static final int CONNECT = 0x10;
  private static final int PUBLISH_QOS_1 = 0x32;
  private static final int PUBACK = 0x40;
  private static final int CONNACK = 0x20;

  /** As many as the door lets wait, less a few. */
  private static final int UNDER_WAY = 1_000;

  private static final String PACKET_ID = "\0\0";
  private static final int PACKET_IDS = 65_535;
  private static final int BUFFER_BYTES = 1 << 16;

  private final int idAt;
  private final byte[] buffer;
  private long packets;

  MqttLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger(UNDER_WAY), Template.of(head(plan), PACKET_ID, "", plan), BUFFER_BYTES);
    idAt = head(plan).length() + Template.topicBytes();
    buffer = new byte[mostBytes()];
    connect();
  }

  /** What comes before the topic. */
  private static String head(Injection plan) {
    int rest = 2 + Template.topicBytes() + PACKET_ID.length() + plan.bytes();
    MqttBytes head = new MqttBytes().number8(PUBLISH_QOS_1).length(rest);
    byte[] bytes = head.number16(Template.topicBytes()).toBytes();
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void connect() throws IOException {
    String client = "load-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    MqttBytes body = new MqttBytes().text("MQTT").number8(4).number8(2).number16(0).text(client);
    out().write(body.packet(CONNECT));
    byte[] answer = in().readNBytes(4);
    if (answer.length < 4 || answer[0] != CONNACK || answer[3] != 0) {
      throw new IOException("the mqtt door does not let us in");
    }
  }

  @Override
  void send(ScheduleShare share) throws IOException {
    int at = 0;
    for (int i = 0; i < share.count(); i++) {
      long due = share.dueNanos(i);
      if (ledger().room() <= 0) {
        out().write(buffer, 0, at);
        at = 0;
      }
      ledger().onSend(due);
      int packet = (int) (1 + packets++ % PACKET_IDS);
      int start = at;
      at = template().write(share.number(i), due, buffer, at);
      buffer[start + idAt] = (byte) (packet >> 8);
      buffer[start + idAt + 1] = (byte) packet;
    }
    out().write(buffer, 0, at);
  }

  @Override
  void readAnswers(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    for (int type = data.read(); type >= 0; type = data.read()) {
      byte[] rest = MqttBytes.rest(data);
      if (type == PUBACK && rest.length >= 2) {
        ledger().onAcked(ledger().acked() + 1);
      }
    }
  }
}
