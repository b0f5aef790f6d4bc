package io.galop.ingest.publisher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ingest.OpenDoors;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One floods, one sends garbage, one stalls, and strangers stall too: the steady one sees none. */
@Timeout(180)
class NeighboursTest {
  private static final int STEADY = 300;
  private static final int STALLED = 60;
  private static final int HALF_BYTES = 60_000;
  private static final String LIST =
      "ingest.publishers=[{name: flood, tokenSha256: %s, maxRecordsPerSecond: 1000},"
              .formatted(Credential.sha256("flood"))
          + " {name: garbage, tokenSha256: %s, maxRecordsPerSecond: 1000},"
              .formatted(Credential.sha256("garbage"))
          + " {name: stall, tokenSha256: %s},".formatted(Credential.sha256("stall"))
          + " {name: steady, tokenSha256: %s}]".formatted(Credential.sha256("steady"));

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();

  private Socket connect(OpenDoors doors, String token) throws IOException {
    Socket socket = new Socket("127.0.0.1", doors.port("tcp"));
    sockets.add(socket);
    socket.setSoTimeout(60_000);
    if (!token.isEmpty()) {
      write(socket, new JsonObject().put("token", token).encode() + "\n");
    }
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void keepSending(Socket socket, String text) {
    byte[] bytes = text.repeat(500).getBytes(StandardCharsets.UTF_8);
    run(
        () -> {
          OutputStream out = socket.getOutputStream();
          while (!over.get()) {
            out.write(bytes);
          }
        });
    run(
        () -> {
          while (!over.get() && socket.getInputStream().read(new byte[8192]) >= 0) {
            // Answers are read, so that it is the quota which holds it back.
          }
        });
  }

  private interface Sending {
    void run() throws IOException;
  }

  private void run(Sending sending) {
    Thread thread =
        new Thread(
            () -> {
              try {
                sending.run();
              } catch (IOException ended) {
                // The door or the test has ended it.
              }
            });
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private static double count(OpenDoors doors, String what, String publisher) {
    return doors
        .meters
        .find("galop.ingest.publisher." + what)
        .tag("publisher", publisher)
        .counters()
        .stream()
        .mapToDouble(one -> one.count())
        .sum();
  }

  @Test
  void oneDoesNotSeeWhatOthersDoWrong() throws Exception {
    try (OpenDoors doors = new OpenDoors(LIST, "ingest.maxInFlightBytes=1048576")) {
      doors.stage(
          batch ->
              batch.records().stream().anyMatch(record -> record.topic().equals("never"))
                  ? Future.future(never -> {})
                  : Future.succeededFuture());
      keepSending(connect(doors, "flood"), "{\"topic\":\"f\",\"data\":{\"v\":1}}\n");
      keepSending(connect(doors, "garbage"), "{\"topic\":\"g\",\"data\":{\"v\":}}\n");
      String half = "{\"topic\":\"s\",\"data\":{\"v\":\"" + "x".repeat(HALF_BYTES);
      for (int i = 0; i < STALLED; i++) {
        stall(doors, i % 2 == 0 ? "stall" : "", half);
      }
      OpenDoors.await(() -> count(doors, "over.quota", "flood") > 0);
      OpenDoors.await(() -> count(doors, "rejected", "garbage") > 0);
      OpenDoors.await(() -> count(doors, "throttled", "garbage") > 0);
      OpenDoors.await(() -> count(doors, "throttled", "stall") > 0);
      publishSteadily(doors);
      assertEquals(2 * STEADY, count(doors, "records", "steady"));
      double flooded = count(doors, "over.quota", "flood");
      assertTrue(flooded <= 50 * count(doors, "records", "flood"), flooded + " were read in vain");
      assertEquals(0, count(doors, "rejected", "steady"));
      assertEquals(0, count(doors, "throttled", "steady"));
    } finally {
      over.set(true);
      for (Socket socket : sockets) {
        socket.close();
      }
      for (Thread thread : threads) {
        thread.join(10_000);
      }
    }
  }

  private void stall(OpenDoors doors, String token, String half) throws IOException {
    try {
      write(connect(doors, token), half);
    } catch (IOException ended) {
      // It held more than it may.
    }
  }

  private void publishSteadily(OpenDoors doors) throws Exception {
    Socket steady = connect(doors, "steady");
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(steady.getInputStream(), StandardCharsets.UTF_8));
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(doors.http("/publish/steady")))
            .header("Authorization", "Bearer steady")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"v\":2}"))
            .build();
    for (int i = 1; i <= STEADY; i++) {
      write(steady, "{\"topic\":\"steady\",\"data\":{\"v\":" + i + "}}\n");
      assertEquals("{\"acked\":" + i + "}", answers.readLine());
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      assertTrue(answer.statusCode() == 202, answer.statusCode() + answer.body());
    }
  }

  /** What one has in flight that nobody acknowledges takes its own room and no other's. */
  @Test
  void whatIsNotAcknowledgedTakesItsOwnRoom() throws Exception {
    try (OpenDoors doors =
        new OpenDoors(
            LIST, "ingest.maxInFlightBytes=1048576", "ingest.limits.maxDataBytes=16384")) {
      doors.stage(
          batch ->
              batch.records().stream().anyMatch(record -> record.topic().startsWith("never"))
                  ? Future.future(never -> {})
                  : Future.succeededFuture());
      Socket stall = connect(doors, "stall");
      keepSending(stall, "{\"topic\":\"never\",\"data\":{\"v\":\"" + "x".repeat(1000) + "\"}}\n");
      OpenDoors.await(() -> count(doors, "throttled", "stall") > 0);
      publishSteadilyOverHttp(doors);
      String refused =
          Curl.post("{}", "-H", "Authorization: Bearer stall", doors.http("/publish/a"));
      assertTrue(refused.contains(" 429 ") && refused.contains("publisher 'stall'"), refused);
    } finally {
      over.set(true);
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void publishSteadilyOverHttp(OpenDoors doors) throws Exception {
    int shards = doors.node.bus().cluster().shards();
    for (int i = 0; i < 10; i++) {
      String topic = "steady" + i;
      if (Topic.shard(topic, shards) == Topic.shard("never", shards)) {
        continue; // the next stage takes a shard's records in order
      }
      String url = doors.http("/publish/" + topic);
      String said = Curl.post("{\"v\":1}", "-H", "Authorization: Bearer steady", url);
      assertTrue(said.contains(" 202 "), said);
    }
  }
}
