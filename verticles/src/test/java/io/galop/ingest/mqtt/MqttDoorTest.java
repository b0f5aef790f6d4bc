package io.galop.ingest.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Topic;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.mqtt.MqttClient;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mosquitto's clients at the mqtt door. */
@Timeout(180)
class MqttDoorTest {
  private static final int CONNECTION_LOST = 7;

  private record Result(int exitCode, String output) {}

  @BeforeAll
  static void needsMosquitto() throws Exception {
    try {
      new ProcessBuilder("mosquitto_pub", "--help").redirectErrorStream(true).start().destroy();
    } catch (IOException e) {
      if ("true".equals(System.getenv("CI"))) {
        Assertions.fail("mosquitto_pub is not there; install mosquitto-clients");
      }
      Assumptions.abort("mosquitto_pub is not there; install mosquitto-clients");
    }
  }

  private static Process start(OpenDoors doors, String client, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(client, "-h", "127.0.0.1", "-p"));
    command.add(Integer.toString(doors.port("mqtt")));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static Result end(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(20, TimeUnit.SECONDS), "still running");
    return new Result(process.exitValue(), output);
  }

  private static Result publish(OpenDoors doors, String... arguments) throws Exception {
    return end(start(doors, "mosquitto_pub", arguments));
  }

  private static double count(OpenDoors doors, Reason reason) {
    return doors
        .meters
        .counter("galop.ingest.rejected", "door", "mqtt", "reason", reason.word())
        .count();
  }

  @Test
  void takesMessagesOfAllQualities() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      for (String version : List.of("311", "5")) {
        for (String qos : List.of("0", "1", "2")) {
          Result result =
              publish(doors, "-V", version, "-q", qos, "-t", "s/" + qos, "-m", "{\"v\":1}");
          assertEquals(new Result(0, ""), result);
        }
      }
      OpenDoors.await(() -> doors.records().size() == 6);
      Record last = doors.records().get(5);
      assertEquals("s/2", last.topic());
      assertEquals("{\"v\":1}", new String(last.data(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void acknowledgesOnlyWhatIsAcknowledged() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Promise<Void> acknowledged = Promise.promise();
      doors.stage(batch -> acknowledged.future());
      Process sender = start(doors, "mosquitto_pub", "-q", "1", "-t", "s/1", "-m", "{}");
      OpenDoors.await(() -> doors.records().size() == 1);
      assertFalse(sender.waitFor(300, TimeUnit.MILLISECONDS), "PUBACK came too early");
      acknowledged.complete();
      assertEquals(new Result(0, ""), end(sender));
    }
  }

  @Test
  void acknowledgesInTheOrderOfTheMessages() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Promise<Void> slow = Promise.promise();
      int slowShard = Topic.shard("slow", 16);
      doors.stage(b -> b.shard() == slowShard ? slow.future() : Future.succeededFuture());
      List<Integer> acknowledged = new CopyOnWriteArrayList<>();
      MqttClient client = MqttClient.create(doors.vertx);
      client.publishCompletionHandler(acknowledged::add);
      client.connect(doors.port("mqtt"), "127.0.0.1").await();
      List<Integer> sent = new ArrayList<>();
      for (String topic : List.of("slow", "b")) {
        sent.add(
            client
                .publish(topic, Buffer.buffer("{}"), MqttQoS.AT_LEAST_ONCE, false, false)
                .await());
      }
      OpenDoors.await(
          () -> doors.meters.counter("galop.ingest.acknowledged", "door", "mqtt").count() == 1);
      assertEquals(List.of(), acknowledged);
      slow.complete();
      OpenDoors.await(() -> acknowledged.size() == 2);
      assertEquals(sent, acknowledged);
    }
  }

  @Test
  void takesManyLinesInOrder() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Process sender = start(doors, "mosquitto_pub", "-q", "1", "-t", "s/1", "-l");
      List<String> lines = new ArrayList<>();
      try (var out = sender.outputWriter()) {
        for (int i = 0; i < 500; i++) {
          lines.add("{\"v\":" + i + "}");
          out.write(lines.get(i) + "\n");
        }
      }
      assertEquals(new Result(0, ""), end(sender));
      assertEquals(
          lines,
          doors.records().stream().map(r -> new String(r.data(), StandardCharsets.UTF_8)).toList());
    }
  }

  @Test
  void tellsFromVersion5OnWhyAMessageIsRejected() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Result result = publish(doors, "-V", "5", "-q", "1", "-t", "$x/1", "-m", "{}");
      assertTrue(result.output().contains("Topic Name invalid"), result.output());
      result = publish(doors, "-V", "5", "-q", "1", "-t", "a", "-m", "{");
      assertTrue(result.output().contains("Payload format invalid"), result.output());
      result = publish(doors, "-V", "5", "-q", "1", "-t", "a", "-n");
      assertTrue(result.output().contains("Payload format invalid"), result.output());
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      result = publish(doors, "-V", "5", "-q", "1", "-t", "a", "-m", "{}");
      assertTrue(result.output().contains("Quota exceeded"), result.output());
      assertEquals(1, count(doors, Reason.TOPIC_NOT_ALLOWED));
      assertEquals(2, count(doors, Reason.MALFORMED));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      delimiter = ';',
      value = {
        "71.2;71.2",
        "-1e3;-1e3",
        "true;true",
        "null;null",
        "ON;|\"ON\"|",
        "|\"on\"|;|\"on\"|",
        "|say \"hi\"|;|\"say \\u0022hi\\u0022\"|",
        "[1,2];[1,2]",
        "007;|\"007\"|",
        "21,5 °C;|\"21,5 °C\"|"
      })
  void takesBareValuesAsAField(String payload, String value) throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      for (String version : List.of("311", "5")) {
        String[] message = {"-V", version, "-q", "1", "-r", "-t", "s/1", "-m", payload};
        assertEquals(new Result(0, ""), publish(doors, message));
      }
      assertEquals(2, doors.records().size());
      for (Record record : doors.records()) {
        assertEquals(
            new JsonObject("{\"value\":" + value + "}"), new JsonObject(OpenDoors.text(record)));
      }
    }
  }

  @Test
  void takesBareValuesAsTheFieldThatIsConfiguredOrNotAtAll() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.valueField=°C")) {
      publish(doors, "-q", "1", "-t", "a", "-m", "71.2");
      assertEquals("{\"°C\":71.2}", OpenDoors.text(doors.records().get(0)));
    }
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.valueField=")) {
      Result result = publish(doors, "-V", "5", "-q", "1", "-t", "a", "-m", "71.2");
      assertTrue(result.output().contains("Payload format invalid"), result.output());
      assertTrue(doors.taken.isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{broken", "{} {}", "[[[[[[[[[["})
  void endsTheConnectionBeforeVersion5OverWhatItRefuses(String payload) throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.limits.maxDepth=4")) {
      Result result = publish(doors, "-q", "1", "-t", "a", "-m", payload);
      assertEquals(CONNECTION_LOST, result.exitCode(), result.output());
      assertTrue(doors.taken.isEmpty());
    }
  }

  @Test
  void refusesBytesThatAreNoText() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Process sender = start(doors, "mosquitto_pub", "-V", "5", "-q", "1", "-t", "a", "-s");
      try (var out = sender.getOutputStream()) {
        out.write(new byte[] {(byte) 0xff, 0, 'x'});
      }
      Result result = end(sender);
      assertTrue(result.output().contains("Payload format invalid"), result.output());
      assertEquals(1, count(doors, Reason.MALFORMED));
    }
  }

  @Test
  void aRetainedMessageWithoutPayloadSaysThatTheTopicIsGone() throws Exception {
    for (String version : List.of("311", "5")) {
      String[] clear = {"-V", version, "-q", "1", "-t", "a", "-r", "-n"};
      try (OpenDoors doors = new OpenDoors()) {
        assertEquals(new Result(0, ""), publish(doors, clear));
        assertEquals("{\"gone\":true}", OpenDoors.text(doors.records().get(0)));
      }
      try (OpenDoors doors = new OpenDoors("ingest.mqtt.onClear=keep")) {
        assertEquals(new Result(0, ""), publish(doors, clear));
        assertTrue(doors.taken.isEmpty());
      }
    }
  }

  @Test
  void endsTheConnectionBeforeVersion5OverASetBackThatMayPass() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      Result result = publish(doors, "-q", "1", "-t", "a", "-m", "{}");
      assertEquals(CONNECTION_LOST, result.exitCode(), result.output());
    }
  }

  @Test
  void asksForTheToken() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      for (String version : List.of("311", "5")) {
        assertNotEquals(0, publish(doors, "-V", version, "-t", "a", "-m", "{}").exitCode());
        String[] wrong = {"-V", version, "-u", "u", "-P", "x", "-t", "a", "-m", "{}"};
        assertNotEquals(0, publish(doors, wrong).exitCode());
        String[] right = {
          "-V", version, "-u", "u", "-P", "s3cret", "-t", "a", "-m", "{}", "-q", "1"
        };
        assertEquals(new Result(0, ""), publish(doors, right));
      }
      assertEquals(2, doors.records().size());
    }
  }

  @Test
  void readsEnvelopesWhereTheyAreConfigured() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.envelope=true")) {
      String payload = "{\"id\":\"i\",\"time\":7,\"data\":{\"v\":1}}";
      publish(doors, "-q", "1", "-t", "a", "-m", payload);
      Record record = doors.records().get(0);
      assertEquals("i", record.id());
      assertEquals(7, record.timeUs());
      assertEquals("a", record.topic());
    }
  }

  @Test
  void isNoBroker() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      for (String version : List.of("311", "5")) {
        Result result = end(start(doors, "mosquitto_sub", "-V", version, "-t", "#"));
        assertTrue(result.output().contains("denied"), result.output());
      }
    }
  }

  /** It may be nobody's client: the log is not for it. Too large; NUL and no UTF-8 in its id. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "10ffffff7f0004",
        "100f00044d5154540402000000036100" + "63",
        "100f00044d515454040200000003" + "61ff63",
        "102000044d5154540402000000" + "03610061", // more would come
        "102000044d51545404030000"
      })
  void aConnectThatIsNoneSaysNothingInTheLog(String packet) throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged("io.vertx");
        Socket stranger = new Socket("127.0.0.1", doors.port("mqtt"))) {
      stranger.setSoTimeout(60_000);
      stranger.getOutputStream().write(HexFormat.of().parseHex(packet));
      assertTrue(isAtEnd(stranger));
      assertEquals(List.of(), log.with(""));
    }
  }

  /** Behind a goodbye, a refused version and a refused secret, each in one write. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "100f00044d51545404020000000361" + "6263" + "e000" + "300400016131",
        "100f00044d51545409020000000361" + "6263" + "300400016131",
        "100f00044d51545404020000000361" + "6263" + "300400016131" + "e000"
      })
  void whatFollowsAnEndSaysNothingInTheLog(String packets) throws Exception {
    boolean isRefused = packets.endsWith("e000");
    String[] wishes = isRefused ? new String[] {"ingest.token=s3cret"} : new String[0];
    try (OpenDoors doors = new OpenDoors(wishes);
        Logged log = new Logged("io");
        Socket client = new Socket("127.0.0.1", doors.port("mqtt"))) {
      client.setSoTimeout(60_000);
      client.getOutputStream().write(HexFormat.of().parseHex(packets));
      while (!isAtEnd(client)) {
        // an answer
      }
      assertEquals(List.of(), log.with("ERROR"));
      assertEquals(List.of(), doors.records());
    }
  }

  /** The second CONNECT of a client id waits until the first connection has given way. */
  @Test
  void takesWhatIsSentBeforeTheConnectIsAnswered() throws Exception {
    String connect = "100f00044d51545404020000000361" + "6263";
    try (OpenDoors doors = new OpenDoors();
        Logged log = new Logged("io");
        Socket first = new Socket("127.0.0.1", doors.port("mqtt"));
        Socket second = new Socket("127.0.0.1", doors.port("mqtt"))) {
      for (Socket each : List.of(first, second)) {
        each.setSoTimeout(60_000);
        each.getOutputStream().write(HexFormat.of().parseHex(connect + "320600016100" + "0731"));
        byte[] answers = each.getInputStream().readNBytes(8);
        assertEquals("2002000040020007", HexFormat.of().formatHex(answers));
      }
      assertEquals(2, doors.records().size());
      assertEquals(List.of(), log.with("ERROR"));
    }
  }

  private static boolean isAtEnd(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void endsTheConnectionOverAMessageThatIsTooLarge() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.mqtt.maxMessageBytes=1024");
        Logged log = new Logged("io.galop")) {
      String large = "{\"v\":\"" + "x".repeat(2000) + "\"}";
      assertEquals(CONNECTION_LOST, publish(doors, "-q", "1", "-t", "a", "-m", large).exitCode());
      assertEquals(1, log.with("the 1024 bytes of ingest.mqtt.maxMessageBytes").size());
      assertEquals(1, count(doors, Reason.TOO_LARGE));
      // From version 5 on the client knows the limit and does not even send.
      publish(doors, "-V", "5", "-q", "1", "-t", "a", "-m", large);
      assertTrue(doors.taken.isEmpty());
    }
  }
}
