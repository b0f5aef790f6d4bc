package io.galop.ingest.publisher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import io.galop.ingest.OpenDoors;
import io.galop.ingest.tcp.RecordProto;
import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several publishers at each door, recognised by token, with topics and quotas of their own. */
@Timeout(180)
class PublishersTest {
  private static final int MANY = 300;
  private static final String LIST =
      "ingest.publishers=[{name: pump, tokenSha256: %s, topics: [pump/#, shared]},"
              .formatted(Credential.sha256("pump's"))
          + " {name: slow, tokenSha256: %s, maxRecordsPerSecond: 1},"
              .formatted(Credential.sha256("slow's"))
          + " {name: user, tokenSha256: %s, mqttUser: anna}]"
              .formatted(Credential.sha256("user's"));

  private static OpenDoors open(String... more) {
    List<String> settings = new java.util.ArrayList<>(List.of(more));
    settings.add(LIST);
    settings.add("ingest.token=the old one");
    return new OpenDoors(settings.toArray(String[]::new));
  }

  private static String lines(int count, String topic) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"topic\":\"" + topic + "\",\"data\":{\"v\":" + i + "}}\n")
        .collect(Collectors.joining());
  }

  private static final String TOPICS = lines(1, "pump/1") + lines(1, "other") + lines(1, "shared");

  private static double count(OpenDoors doors, String what, String publisher, String... tags) {
    var found =
        doors.meters.find("galop.ingest.publisher." + what).tag("publisher", publisher).tags(tags);
    return found.counters().stream().mapToDouble(one -> one.count()).sum();
  }

  private static double strangers(OpenDoors doors, String door) {
    return doors.meters.counter("galop.ingest.strangers", "door", door).count();
  }

  private static void pumpIsKept(OpenDoors doors) throws Exception {
    OpenDoors.await(() -> doors.records().size() == 2);
    List<String> topics = doors.records().stream().map(Record::topic).sorted().toList();
    assertEquals(List.of("pump/1", "shared"), topics);
    assertEquals(2, count(doors, "records", "pump"));
    assertTrue(count(doors, "bytes", "pump") > 2);
    assertEquals(1, count(doors, "rejected", "pump", "reason", "topic_not_allowed"));
    OpenDoors.await(() -> gauge(doors, "in.flight.bytes", "pump") == 0);
  }

  private static double gauge(OpenDoors doors, String what, String publisher) {
    String name = "galop.ingest.publisher." + what;
    return doors.meters.get(name).tag("publisher", publisher).gauge().value();
  }

  @Test
  void httpKnowsWhoPublishes() throws Exception {
    try (OpenDoors doors = open()) {
      String url = doors.http("/publish");
      String pump = Curl.post(TOPICS, "-H", "Authorization: Bearer pump's", url);
      assertTrue(pump.contains(" 202 ") && pump.contains("\"accepted\":2"), pump);
      assertTrue(pump.contains("\"line\":2,\"reason\":\"topic_not_allowed\""), pump);
      assertTrue(pump.contains("publisher 'pump'"), pump);
      pumpIsKept(doors);
      for (String wrong : List.of("Bearer pumps", "Bearer ", "Basic pump's")) {
        String stranger = Curl.post(TOPICS, "-H", "Authorization: " + wrong, url);
        assertTrue(stranger.contains(" 401 ") && stranger.contains("token is missing"), stranger);
      }
      assertEquals(3, strangers(doors, "http"));
      String old = Curl.post(TOPICS, "-H", "Authorization: Bearer the old one", url);
      assertTrue(old.contains("\"accepted\":3"), old);
      assertEquals(3, count(doors, "records", "default"));
    }
  }

  @Test
  void httpSaysWhenToComeAgain() throws Exception {
    try (OpenDoors doors = open()) {
      String[] slow = {"-H", "Authorization: Bearer slow's", doors.http("/publish")};
      String part = Curl.post(lines(MANY, "a"), slow);
      assertTrue(part.contains(" 202 ") && part.contains("\"reason\":\"over_quota\""), part);
      assertTrue(
          part.matches("(?s).*Retry-After: [12]\r\n.*") && part.contains("retryAfterMs"), part);
      assertTrue(part.contains("publisher 'slow' has used its quota (1 records a second)"), part);
      long deadline = System.nanoTime() + 60_000_000_000L;
      String whole = "";
      while (!whole.contains(" 429 ") && System.nanoTime() < deadline) {
        Curl.post(lines(MANY, "a"), slow);
        whole = Curl.post(lines(1, "a"), slow);
      }
      assertTrue(whole.matches("(?s).* 429 .*Retry-After: [12]\r\n.*"), whole);
      assertTrue(count(doors, "over.quota", "slow") > 0);
      assertTrue(count(doors, "throttled", "slow") > 0);
      assertEquals(0, count(doors, "over.quota", "pump"));
      String others = Curl.post(TOPICS, "-H", "Authorization: Bearer pump's", slow[2]);
      assertTrue(others.contains("\"accepted\":2"), others);
    }
  }

  private record Lines(Socket socket, BufferedReader answers) implements AutoCloseable {
    static Lines to(OpenDoors doors) throws IOException {
      Socket socket = new Socket("127.0.0.1", doors.port("tcp"));
      socket.setSoTimeout(60_000);
      return new Lines(
          socket,
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** All that is answered until so many lines are done with. */
    String until(long acked) throws IOException {
      StringBuilder said = new StringBuilder();
      while (true) {
        String line = answers.readLine();
        said.append(line);
        if (line == null || new JsonObject(line).getLong("acked") >= acked) {
          return said.toString();
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void tcpKnowsWhoPublishes() throws Exception {
    try (OpenDoors doors = open();
        Lines pump = Lines.to(doors);
        Lines stranger = Lines.to(doors);
        Lines nobody = Lines.to(doors)) {
      pump.send("{\"token\":\"pump's\"}\n" + TOPICS);
      String said = pump.until(3);
      assertTrue(said.contains("\"line\":2,\"reason\":\"topic_not_allowed\""), said);
      assertEquals(1, gauge(doors, "connections", "pump"));
      pumpIsKept(doors);
      stranger.send("{\"token\":\"pumps\"}\n" + TOPICS);
      assertTrue(stranger.until(9).contains("the token is missing or wrong"));
      nobody.send(TOPICS);
      assertTrue(nobody.until(9).contains("the token is missing or wrong"));
      assertEquals(2, strangers(doors, "tcp"));
      pump.close();
      OpenDoors.await(() -> gauge(doors, "connections", "pump") == 0);
    }
  }

  @Test
  void tcpSaysWhenToComeAgain() throws Exception {
    try (OpenDoors doors = open();
        Lines slow = Lines.to(doors)) {
      slow.send("{\"token\":\"slow's\"}\n" + lines(MANY, "a"));
      String said = slow.until(MANY);
      assertTrue(said.contains("\"reason\":\"over_quota\""), said);
      assertTrue(said.contains("\"retryAfterMs\":"), said);
      assertTrue(count(doors, "over.quota", "slow") > 0);
      assertTrue(count(doors, "throttled", "slow") > 0);
      int taken = doors.records().size();
      assertTrue(taken >= 1 && taken < MANY, taken + " were taken");
      long deadline = System.nanoTime() + 60_000_000_000L;
      for (int i = 1; doors.records().size() == taken && System.nanoTime() < deadline; i++) {
        slow.send(lines(1, "a"));
        slow.until(MANY + i);
      }
      assertTrue(doors.records().size() > taken, "it may go on");
    }
  }

  @Test
  void protobufIsToldTheSame() throws Exception {
    RecordProto proto = new RecordProto();
    try (OpenDoors doors = open();
        Socket socket = new Socket("127.0.0.1", doors.port("tcp"))) {
      socket.setSoTimeout(60_000);
      DynamicMessage record =
          proto.message("Record", "topic", "a", "data", ByteString.copyFromUtf8("{}"));
      List<DynamicMessage> records = java.util.Collections.nCopies(MANY, record);
      proto
          .message("Batch", "token", "slow's", "records", records)
          .writeDelimitedTo(socket.getOutputStream());
      long acked = 0;
      long retryAfterMs = 0;
      String reasons = "";
      while (acked < MANY) {
        DynamicMessage.Builder next = proto.message("Acknowledgement").newBuilderForType();
        assertTrue(next.mergeDelimitedFrom(socket.getInputStream()), "the connection has ended");
        DynamicMessage answer = next.build();
        acked = (Long) RecordProto.get(answer, "acked");
        retryAfterMs = Math.max(retryAfterMs, (Long) RecordProto.get(answer, "retry_after_ms"));
        reasons += RecordProto.get(answer, "rejected");
      }
      assertTrue(retryAfterMs > 0);
      assertTrue(reasons.contains("over_quota"), reasons);
    }
  }

  private static String mqtt(OpenDoors doors, String input, String... arguments) throws Exception {
    List<String> all = new java.util.ArrayList<>(List.of("mosquitto_pub", "-h", "127.0.0.1"));
    all.addAll(List.of("-p", "" + doors.port("mqtt")));
    all.addAll(List.of(arguments));
    return Curl.run(input, all.toArray(String[]::new));
  }

  @Test
  void mqttKnowsWhoPublishes() throws Exception {
    try (OpenDoors doors = open()) {
      String[] pump = {"-d", "-q", "1", "-u", "any", "-P", "pump's", "-m", "{}", "-V"};
      for (String version : List.of("311", "5")) {
        String good = mqtt(doors, "", with(pump, version, "-t", "pump/1"));
        assertTrue(good.endsWith("exit 0"), good);
        String other = mqtt(doors, "", with(pump, version, "-t", "other"));
        String told = version.equals("5") ? "RC:144" : "exit 7"; // topic name invalid
        assertTrue(other.contains(told), other);
        String wrong = mqtt(doors, "", "-V", version, "-P", "x", "-u", "x", "-t", "a", "-m", "{}");
        assertFalse(wrong.endsWith("exit 0"), wrong);
        for (String user : List.of("anna", "bert")) {
          String said =
              mqtt(
                  doors, "", "-V", version, "-q", "1", "-u", user, "-P", "user's", "-t", "u", "-m",
                  "{}");
          assertEquals(user.equals("anna"), said.endsWith("exit 0"), said);
        }
      }
      assertEquals(4, strangers(doors, "mqtt"));
      assertEquals(2, count(doors, "records", "pump"));
      assertEquals(2, count(doors, "records", "user"));
      assertEquals(2, count(doors, "rejected", "pump", "reason", "topic_not_allowed"));
    }
  }

  private static String[] with(String[] some, String... more) {
    List<String> all = new java.util.ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void mqttSaysThatItIsTooMuch() throws Exception {
    try (OpenDoors doors = open()) {
      String values = "{}\n".repeat(MANY);
      String[] slow = {"-d", "-q", "1", "-u", "s", "-P", "slow's", "-t", "a", "-l", "-V"};
      String five = mqtt(doors, values, with(slow, "5"));
      assertTrue(five.contains("RC:151"), "quota exceeded: " + five);
      double refused = count(doors, "over.quota", "slow");
      assertTrue(refused > 0);
      String[] one = {"-q", "1", "-u", "s", "-P", "slow's", "-t", "a", "-m", "{}", "-V", "311"};
      long deadline = System.nanoTime() + 60_000_000_000L;
      String three = "";
      while (!three.endsWith("exit 7") && System.nanoTime() < deadline) {
        three = mqtt(doors, "", one);
      }
      assertTrue(three.endsWith("exit 7"), "the connection is ended: " + three);
      assertTrue(count(doors, "over.quota", "slow") > refused);
    }
  }

  @Test
  void theBridgeKnowsWhoPublishes() throws Exception {
    try (OpenDoors doors = open()) {
      JsonObject pump = overTheBridge(doors, "pump's", TOPICS);
      assertEquals(2, pump.getInteger("accepted"), pump.encode());
      pumpIsKept(doors);
      assertTrue(overTheBridge(doors, "pumps", TOPICS).getString("error").contains("token"));
      assertTrue(overTheBridge(doors, "", TOPICS).getString("error").contains("token"));
      assertEquals(2, strangers(doors, "bus"));
      JsonObject slow = overTheBridge(doors, "slow's", lines(MANY, "a"));
      assertTrue(slow.getLong("retryAfterMs") > 0, slow.encode());
      String self = doors.node.bus().cluster().self().id();
      JsonObject member = doors.node.bus().publish().publish(self, TOPICS).await();
      assertEquals(3, member.getInteger("accepted"), "a member of the cluster is trusted");
    }
  }

  /** Whatever it says of certificates is nobody's word but its own. */
  private static JsonObject overTheBridge(OpenDoors doors, String token, String lines)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", doors.port("bridge"))) {
      socket.setSoTimeout(60_000);
      JsonObject body =
          new JsonObject().put("token", token).put("lines", lines).put("certificate", "cn=pump");
      JsonObject frame =
          new JsonObject()
              .put("type", "send")
              .put("address", "galop-publish")
              .put("replyAddress", "r1")
              .put("body", body);
      byte[] bytes = frame.encode().getBytes(StandardCharsets.UTF_8);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(bytes.length);
      out.write(bytes);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = in.readNBytes(in.readInt());
      return new JsonObject(new String(answer, StandardCharsets.UTF_8)).getJsonObject("body");
    }
  }
}
