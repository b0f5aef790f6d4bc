package io.galop.ingest.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.ingest.OpenDoors;
import io.netty.channel.DefaultChannelPipeline;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that begin to send something and do not end it, as those do that vanish. */
@Tag("slow")
@Timeout(180)
class HalfSentTest {
  private static final String LINE = "{\"topic\":\"a\",\"data\":{\"v\":1}}\n";
  private static final int LARGEST_BODY = 8_388_608;

  /** For what comes in time: a busy machine may stand still for some of it. */
  private static final int PATIENT_MS = 5_000;

  private static final long MORE_NANOS = 6_000_000_000L;

  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(60_000);
    held.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static int httpPort(OpenDoors doors) {
    return URI.create(doors.http("/")).getPort();
  }

  private static String head(int length) {
    return "POST /publish HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + length + "\r\n\r\n";
  }

  /** Sends so much of a body, and no more. */
  private Socket halfBody(OpenDoors doors, int bytes) throws IOException {
    Socket socket = connect(httpPort(doors));
    send(socket, head(LARGEST_BODY));
    String lines = LINE.repeat(65_536 / LINE.length());
    int left = bytes;
    while (left > 0) {
      int part = Math.min(left, lines.length());
      send(socket, lines.substring(0, part));
      left -= part;
    }
    return socket;
  }

  private static int publish(OpenDoors doors) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(doors.http("/publish/b")))
            .POST(BodyPublishers.ofString("{\"v\":2}"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
  }

  private static double gauge(OpenDoors doors, String name) {
    return doors.meters.get(name).gauge().value();
  }

  private static String all(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  /** Four bodies as large as they may be are all that a node holds; the fifth fills the rest. */
  @Test
  void clientsThatVanishInTheirBodiesStopNobody() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.maxInFlightBytes=33554432")) {
      for (int i = 0; i < 4; i++) {
        halfBody(doors, LARGEST_BODY - 1);
      }
      halfBody(doors, 1_000);
      Thread.sleep(300);
      for (int i = 0; i < 20; i++) {
        assertEquals(202, publish(doors), "attempt " + i);
      }
      Socket tcp = connect(doors.port("tcp"));
      send(tcp, LINE);
      assertEquals('{', tcp.getInputStream().read());
      OpenDoors.await(() -> gauge(doors, "galop.ingest.half.sent.bytes") <= 16_777_216);
      assertEquals(202, publish(doors));
    }
  }

  /** With one token for all, nobody can tell who has vanished from who has not. */
  @Test
  void thoseWhoShareATokenStopNobodyEither() throws Exception {
    String token = "Authorization: Bearer s3cret";
    try (OpenDoors doors =
        new OpenDoors("ingest.maxInFlightBytes=33554432", "ingest.token=s3cret")) {
      for (int i = 0; i < 5; i++) {
        Socket socket = connect(httpPort(doors));
        send(socket, head(LARGEST_BODY).replace("\r\n\r\n", "\r\n" + token + "\r\n\r\n"));
        send(socket, LINE.repeat((i < 4 ? LARGEST_BODY - 1 : 1_000) / LINE.length()));
      }
      OpenDoors.await(() -> gauge(doors, "galop.ingest.half.sent.bytes") <= 16_777_216);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(doors.http("/publish/b")))
              .header("Authorization", "Bearer s3cret")
              .POST(BodyPublishers.ofString("{\"v\":2}"))
              .build();
      for (int i = 0; i < 20; i++) {
        int status = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
        assertEquals(202, status, "attempt " + i);
      }
    }
  }

  @Test
  void aBodyThatDoesNotBecomeWholeIsEnded() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=300")) {
      Socket silent = halfBody(doors, 100);
      String answer = all(silent);
      assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
      assertTrue(answer.contains("300 ms of ingest.receiveTimeoutMs"), answer);
      assertEquals(
          1,
          doors.meters.get("galop.ingest.half.sent.ended").tag("door", "http").counter().count());
      assertEquals(0, gauge(doors, "galop.ingest.half.sent.bytes"));
    }
  }

  /** A byte now and then buys no time, as it would with an idle timeout. */
  @Test
  void aBodyThatTricklesIsEndedToo() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=400")) {
      Socket slow = halfBody(doors, 10);
      long begun = System.nanoTime();
      try {
        while (System.nanoTime() - begun < 30_000_000_000L
            && slow.getInputStream().available() == 0) {
          send(slow, " ");
          Thread.sleep(50);
        }
      } catch (IOException closed) {
        // As it should be.
      }
      assertTrue(System.nanoTime() - begun < 25_000_000_000L);
    }
  }

  @Test
  void aLineOrMessageThatDoesNotBecomeWholeEndsTheConnection() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=300")) {
      Socket line = connect(doors.port("tcp"));
      send(line, LINE + "{\"topic\":");
      String answer = all(line);
      assertTrue(answer.startsWith("{\"acked\":1}\n"), answer);
      assertTrue(answer.contains("ingest.receiveTimeoutMs"), answer);
      Socket first = connect(doors.port("tcp"));
      send(first, "{");
      assertTrue(all(first).contains("ingest.receiveTimeoutMs"));
      Socket message = connect(doors.port("tcp"));
      message.getOutputStream().write(new byte[] {(byte) 0x80, (byte) 0x80, 0x04, 26, 3});
      assertTrue(all(message).contains("ingest.receiveTimeoutMs"));
      Socket endless = connect(doors.port("tcp"));
      send(endless, LINE + "{" + "x".repeat(2_000_000));
      assertTrue(all(endless).contains("ingest.receiveTimeoutMs"));
      assertEquals(
          4, doors.meters.get("galop.ingest.half.sent.ended").tag("door", "tcp").counter().count());
      assertEquals(0, gauge(doors, "galop.ingest.half.sent.bytes"));
    }
  }

  private static final byte[] MQTT_CONNECT = {
    0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 1, 'c'
  };

  /** A message of QoS 0 to topic {@code a}, with a payload of so many bytes. */
  private static byte[] mqttPublish(int bytes) {
    byte[] text = ('"' + "1".repeat(bytes - 2) + '"').getBytes(UTF_8);
    ByteBuffer packet = ByteBuffer.allocate(bytes + 6).put((byte) 0x30);
    int length = bytes + 3;
    if (length < 128) {
      packet.put((byte) length);
    } else {
      packet.put((byte) (length % 128 | 128)).put((byte) (length / 128));
    }
    packet.put(new byte[] {0, 1, 'a'}).put(text);
    return Arrays.copyOf(packet.array(), packet.position());
  }

  private Socket mqtt(OpenDoors doors) throws IOException {
    Socket socket = connect(doors.port("mqtt"));
    socket.getOutputStream().write(MQTT_CONNECT);
    assertArrayEquals(new byte[] {0x20, 2, 0, 0}, socket.getInputStream().readNBytes(4));
    return socket;
  }

  private static double mqttEnded(OpenDoors doors) {
    return doors.meters.get("galop.ingest.half.sent.ended").tag("door", "mqtt").counter().count();
  }

  @Test
  void anMqttPacketThatDoesNotBecomeWholeEndsTheConnection() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=300")) {
      for (int bytes : new int[] {1, 2, 5, 7}) {
        Socket half = mqtt(doors);
        half.getOutputStream().write(mqttPublish(3), 0, bytes);
        assertEquals(-1, half.getInputStream().read(), bytes + " bytes");
      }
      Socket connect = connect(doors.port("mqtt"));
      connect.getOutputStream().write(MQTT_CONNECT, 0, 9);
      assertEquals(-1, connect.getInputStream().read());
      OpenDoors.await(() -> mqttEnded(doors) == 5);
      OpenDoors.await(() -> gauge(doors, "galop.ingest.half.sent.bytes") == 0);
      assertEquals(0, doors.records().size());
    }
  }

  @Test
  void anMqttPacketThatTricklesIsEndedToo() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=400")) {
      Socket slow = mqtt(doors);
      byte[] packet = mqttPublish(16_000);
      long begun = System.nanoTime();
      try {
        for (int i = 0; i < packet.length && slow.getInputStream().available() == 0; i++) {
          slow.getOutputStream().write(packet, i, 1);
          Thread.sleep(50);
        }
      } catch (IOException closed) {
        // As it should be.
      }
      assertTrue(System.nanoTime() - begun < 25_000_000_000L);
      OpenDoors.await(() -> mqttEnded(doors) == 1);
    }
  }

  @Test
  void anMqttPacketOfServersEndsTheConnectionWithoutAWord() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged(DefaultChannelPipeline.class)) {
      for (int type : new int[] {0x00, 0x20, 0x90, 0xb0, 0xd0, 0xf0}) {
        Socket client = mqtt(doors);
        client.getOutputStream().write(new byte[] {(byte) type, 2, 0, 0});
        assertEquals(-1, client.getInputStream().read(), "type " + type);
      }
      assertEquals(List.of(), log.with(""));
    }
  }

  /** A second one of an unknown version took the client id along for ever. */
  @Test
  void aSecondMqttConnectEndsTheConnectionAndTheClientMayComeAgain() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      byte[] unknownVersion = MQTT_CONNECT.clone();
      unknownVersion[8] = 9;
      byte[] unknownProtocol = MQTT_CONNECT.clone();
      unknownProtocol[5] = 'm';
      for (byte[] second : List.of(MQTT_CONNECT, unknownVersion, unknownProtocol)) {
        Socket client = mqtt(doors);
        client.getOutputStream().write(second);
        assertEquals(-1, client.getInputStream().read());
      }
      mqtt(doors);
    }
  }

  /** Packets cut at each byte are not one packet that takes long, and none is miscounted. */
  @Test
  void mqttPacketsThatComeInPiecesAreTaken() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=" + PATIENT_MS)) {
      Socket mqtt = mqtt(doors);
      mqtt.setTcpNoDelay(true);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.write(mqttPublish(15));
      all.write(mqttPublish(200));
      all.write(mqttPublish(2));
      int sent = 0;
      for (long begun = System.nanoTime(); System.nanoTime() - begun < MORE_NANOS; ) {
        for (int piece = 1; piece <= all.size(); piece = piece < 8 ? piece + 1 : piece * 3) {
          sendInPieces(mqtt, all.toByteArray(), piece);
          sent += 3;
        }
      }
      int expected = sent;
      OpenDoors.await(() -> doors.records().size() == expected);
      assertEquals(0, gauge(doors, "galop.ingest.half.sent.bytes"));
      mqtt.getOutputStream().write(mqttPublish(20), 0, 10);
      OpenDoors.await(() -> gauge(doors, "galop.ingest.half.sent.bytes") == 10);
      mqtt.close();
      OpenDoors.await(() -> gauge(doors, "galop.ingest.half.sent.bytes") == 0);
      assertEquals(0, mqttEnded(doors));
    }
  }

  private static void sendInPieces(Socket socket, byte[] all, int piece) throws Exception {
    for (int at = 0; at < all.length; at += piece) {
      socket.getOutputStream().write(all, at, Math.min(piece, all.length - at));
      socket.getOutputStream().flush();
      Thread.sleep(1);
    }
  }

  /** Lines that are cut by the network one after the other are not one line that takes long. */
  @Test
  void whoSendsOnAndOnIsNotEnded() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=" + PATIENT_MS)) {
      Socket tcp = connect(doors.port("tcp"));
      int lines = 0;
      for (long begun = System.nanoTime(); System.nanoTime() - begun < MORE_NANOS; lines++) {
        send(tcp, (lines == 0 ? "" : LINE.substring(10)) + LINE.substring(0, 10));
        Thread.sleep(50);
      }
      send(tcp, LINE.substring(10));
      int expected = lines;
      OpenDoors.await(() -> doors.records().size() == expected);
      assertEquals('{', tcp.getInputStream().read());
    }
  }

  /** What the node does not read is not its sender's delay. */
  @Test
  void whoIsNotReadIsNotLate() throws Exception {
    try (OpenDoors doors =
        new OpenDoors("ingest.receiveTimeoutMs=300", "ingest.maxInFlightBytes=65536")) {
      Promise<Void> room = Promise.promise();
      doors.stage(batch -> room.future());
      Socket tcp = connect(doors.port("tcp"));
      send(tcp, LINE.repeat(3_000) + LINE.substring(0, 10));
      OpenDoors.await(() -> gauge(doors, "galop.ingest.in.flight.bytes") > 65_536);
      Thread.sleep(1_000);
      room.complete();
      send(tcp, LINE.substring(10));
      OpenDoors.await(() -> doors.records().size() == 3_001);
    }
  }

  @Test
  void oneConnectionDoesNotTakeAllTheRoom() throws Exception {
    try (OpenDoors doors =
        new OpenDoors("ingest.maxInFlightBytes=1048576", "ingest.maxConnectionBytes=65536")) {
      Promise<Void> room = Promise.promise();
      doors.stage(batch -> room.future());
      Socket greedy = connect(doors.port("tcp"));
      String lines = LINE.replace("\"v\":1", "\"v\":\"" + "x".repeat(1_000) + '"').repeat(64);
      Thread sender = new Thread(() -> sendAll(greedy, lines));
      sender.setDaemon(true);
      sender.start();
      OpenDoors.await(() -> gauge(doors, "galop.ingest.in.flight.bytes") > 400_000);
      Socket other = connect(doors.port("tcp"));
      Socket third = connect(doors.port("tcp"));
      send(other, LINE.replace("\"a\"", "\"other\""));
      send(third, LINE.replace("\"a\"", "\"third\""));
      OpenDoors.await(() -> has(doors, "other") && has(doors, "third"));
      assertTrue(gauge(doors, "galop.ingest.in.flight.bytes") < 1_048_576, "all the room is taken");
      room.complete();
    }
  }

  private static void sendAll(Socket socket, String lines) {
    try {
      for (int i = 0; i < 64; i++) {
        send(socket, lines);
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static boolean has(OpenDoors doors, String topic) {
    return doors.records().stream().anyMatch(record -> record.topic().equals(topic));
  }
}
