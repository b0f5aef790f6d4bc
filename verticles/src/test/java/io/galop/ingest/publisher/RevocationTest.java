package io.galop.ingest.publisher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ingest.OpenDoors;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publishers that are added and revoked while a node runs. */
@Timeout(180)
class RevocationTest {
  private static final String LINE = "{\"topic\":\"a\",\"data\":{}}\n";
  private static final int CONNACK = 0x20;
  private static final int DISCONNECT = 0xe0;
  private static final int NOT_AUTHORIZED = 0x87;

  /** MQTT 5: the user u with the password g. */
  private static final byte[] CONNECT =
      HexFormat.of().parseHex("101400044d51545405c2003c00000177000175000167");

  @TempDir Path directory;

  private Path list(String... names) throws IOException {
    StringBuilder yaml = new StringBuilder("publishers:\n");
    for (String name : names) {
      yaml.append("  - {name: %s, tokenFile: %s}\n".formatted(name, directory.resolve(name)));
    }
    return Files.writeString(directory.resolve("publishers.yaml"), yaml);
  }

  private void token(String name, String token) throws IOException {
    Files.writeString(directory.resolve(name), token + "\n");
  }

  private static void awaitLong(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "not in a minute");
      Thread.sleep(50);
    }
  }

  private static String post(OpenDoors doors, String token) throws Exception {
    return Curl.post(LINE, "-H", "Authorization: Bearer " + token, doors.http("/publish"));
  }

  private static BufferedReader connect(OpenDoors doors, String token) throws IOException {
    Socket socket = new Socket("127.0.0.1", doors.port("tcp"));
    socket.setSoTimeout(60_000);
    String said = new JsonObject().put("token", token).encode() + "\n" + LINE;
    socket.getOutputStream().write(said.getBytes(StandardCharsets.UTF_8));
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    assertEquals("{\"acked\":1}", answers.readLine());
    return answers;
  }

  @Test
  void theListIsTakenWithoutARestart() throws Exception {
    token("kept", "k");
    token("gone", "g");
    token("turned", "before");
    token("new", "n");
    try (OpenDoors doors =
        new OpenDoors("ingest.publishersFile=" + list("kept", "gone", "turned"))) {
      try (BufferedReader kept = connect(doors, "k");
          BufferedReader gone = connect(doors, "g");
          BufferedReader turned = connect(doors, "before")) {
        assertTrue(post(doors, "n").contains(" 401 "));
        token("turned", "after");
        list("kept", "turned", "new");
        awaitLong(() -> post(doors, "n").contains(" 202 "));
        String ended = gone.readLine();
        assertTrue(ended.contains("publisher 'gone' may publish here no more"), ended);
        assertEquals(null, gone.readLine());
        assertTrue(turned.readLine().contains("revoked"), "its token is another now");
        assertTrue(post(doors, "g").contains(" 401 "));
        assertTrue(post(doors, "before").contains(" 401 "));
        assertTrue(post(doors, "after").contains(" 202 "));
        assertTrue(!kept.ready(), "nobody else is ended");
        assertTrue(
            doors
                .meters
                .find("galop.ingest.publisher.records")
                .tag("publisher", "gone")
                .counters()
                .isEmpty());
      }
    }
  }

  @Test
  void aWrongListIsNotTaken() throws Exception {
    token("kept", "k");
    Path list = list("kept");
    try (OpenDoors doors = new OpenDoors("ingest.publishersFile=" + list);
        BufferedReader kept = connect(doors, "k")) {
      Files.writeString(list, "publishers: [{name: 'a b'}");
      awaitLong(() -> doors.node.readiness().warnings().containsKey("ingest.publishers"));
      String said = doors.node.readiness().warnings().get("ingest.publishers");
      assertTrue(said.contains("publishers.yaml"), said);
      assertTrue(post(doors, "k").contains(" 202 "));
      assertTrue(!kept.ready(), "its connection stays");
      list("kept");
      awaitLong(() -> !doors.node.readiness().warnings().containsKey("ingest.publishers"));
    }
  }

  @Test
  void aBodyThatIsUnderWayIsRefused() throws Exception {
    token("kept", "k");
    token("gone", "g");
    try (OpenDoors doors = new OpenDoors("ingest.publishersFile=" + list("kept", "gone"));
        Socket slow = new Socket("127.0.0.1", URI.create(doors.http("/")).getPort())) {
      slow.setSoTimeout(60_000);
      String head =
          "POST /publish HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer g\r\n"
              + "Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n"
                  .formatted(2 * LINE.length());
      slow.getOutputStream().write((head + LINE).getBytes(StandardCharsets.UTF_8));
      list("kept");
      awaitLong(() -> post(doors, "g").contains(" 401 "));
      slow.getOutputStream().write(LINE.getBytes(StandardCharsets.UTF_8));
      String answer =
          new BufferedReader(new InputStreamReader(slow.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
      assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
    }
  }

  @Test
  void clientsOfTwoPublishersMayHaveOneId() throws Exception {
    token("kept", "k");
    token("gone", "g");
    byte[] other = CONNECT.clone();
    other[other.length - 1] = 'k';
    try (OpenDoors doors = new OpenDoors("ingest.publishersFile=" + list("kept", "gone"));
        Socket first = new Socket("127.0.0.1", doors.port("mqtt"));
        Socket second = new Socket("127.0.0.1", doors.port("mqtt"))) {
      for (Socket each : List.of(first, second)) {
        each.setSoTimeout(60_000);
        each.getOutputStream().write(each == first ? CONNECT : other);
        DataInputStream in = new DataInputStream(each.getInputStream());
        assertEquals(CONNACK, in.readUnsignedByte());
        in.readNBytes(in.readUnsignedByte());
      }
      first.getOutputStream().write(HexFormat.of().parseHex("c000"));
      assertEquals(0xd0, first.getInputStream().read(), "it is there, and answers a ping");
    }
  }

  @Test
  void anMqttConnectionEndsToo() throws Exception {
    token("kept", "k");
    token("gone", "g");
    try (OpenDoors doors = new OpenDoors("ingest.publishersFile=" + list("kept", "gone"))) {
      Socket client = new Socket("127.0.0.1", doors.port("mqtt"));
      client.setSoTimeout(60_000);
      client.getOutputStream().write(CONNECT);
      DataInputStream in = new DataInputStream(client.getInputStream());
      assertEquals(CONNACK, in.readUnsignedByte());
      in.readNBytes(in.readUnsignedByte());
      list("kept");
      assertEquals(DISCONNECT, in.readUnsignedByte());
      byte[] why = in.readNBytes(in.readUnsignedByte());
      assertEquals(NOT_AUTHORIZED, why[0] & 0xff);
      String said = new String(why, StandardCharsets.UTF_8);
      assertTrue(said.contains("publisher 'gone' may publish here no more"), said);
      assertEquals(-1, in.read());
    }
  }
}
