package io.galop.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that begin to send something and do not end it, as those do that vanish. */
@Timeout(60)
class HalfSentTest {
  private static final String LINE = "{\"topic\":\"a\",\"data\":{\"v\":1}}\n";
  private static final int LARGEST_BODY = 8_388_608;

  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
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
        while (System.nanoTime() - begun < 10_000_000_000L
            && slow.getInputStream().available() == 0) {
          send(slow, " ");
          Thread.sleep(50);
        }
      } catch (IOException closed) {
        // As it should be.
      }
      assertTrue(System.nanoTime() - begun < 5_000_000_000L);
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

  /** Lines that are cut by the network one after the other are not one line that takes long. */
  @Test
  void whoSendsOnAndOnIsNotEnded() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.receiveTimeoutMs=300")) {
      Socket tcp = connect(doors.port("tcp"));
      for (int i = 0; i < 20; i++) {
        send(tcp, (i == 0 ? "" : LINE.substring(10)) + LINE.substring(0, 10));
        Thread.sleep(50);
      }
      send(tcp, LINE.substring(10));
      OpenDoors.await(() -> doors.records().size() == 20);
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
