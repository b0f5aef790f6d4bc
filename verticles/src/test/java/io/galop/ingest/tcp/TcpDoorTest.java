package io.galop.ingest.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.record.Batch;
import io.galop.record.Topic;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TcpDoorTest {

  /** A sender of lines. */
  private static final class Sender implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader answers;

    Sender(OpenDoors doors) throws IOException {
      socket = new Socket("127.0.0.1", doors.port("tcp"));
      socket.setSoTimeout(60_000);
      answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }

    JsonObject answer() throws IOException {
      return new JsonObject(answers.readLine());
    }

    /** All rejections up to the answer that reaches a count. */
    String rejectedUntil(long acked) throws IOException {
      StringBuilder rejected = new StringBuilder();
      JsonObject answer = answer();
      while (true) {
        if (answer.containsKey("rejected")) {
          rejected.append(answer.getJsonArray("rejected").encode());
        }
        if (answer.getLong("acked") >= acked) {
          assertEquals(acked, answer.getLong("acked"));
          return rejected.toString();
        }
        answer = answer();
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String line(String topic, int value) {
    return "{\"topic\":\"" + topic + "\",\"data\":{\"v\":" + value + "}}\n";
  }

  @Test
  void countsTheLinesThatAreDoneWith() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      sender.send(line("a", 1));
      assertEquals("{\"acked\":1}", sender.answer().encode());
      sender.send(line("a", 2) + "\n" + line("b", 3));
      assertEquals("", sender.rejectedUntil(4));
      sender.send("{\"topic\":\"a\"");
      sender.send(",\"data\":{}}\n");
      assertEquals("{\"acked\":5}", sender.answer().encode());
      assertEquals(4, doors.records().size());
    }
  }

  @Test
  void tellsWhichLinesOfTheConnectionAreRejected() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      sender.send(line("a", 1));
      sender.answer();
      sender.send(line("a", 2) + "{\"topic\":\"a\"}\n" + line("a", 3));
      assertEquals(
          "[{\"line\":3,\"reason\":\"malformed\",\"detail\":\"field 'data' is missing; send a JSON"
              + " object as data\"}]",
          sender.rejectedUntil(4));
      int longest = doors.node.config().ingest().limits().maxLineBytes();
      sender.send("{\"topic\":\"" + "x".repeat(longest) + "\",\"data\":{}}\n" + line("a", 4));
      String rejected = sender.rejectedUntil(6);
      assertTrue(rejected.startsWith("[{\"line\":5,\"reason\":\"too_large\""), rejected);
      assertEquals(4, doors.records().size());
    }
  }

  /** Whoever acts on an answer before it reads the next one must not take more as stored. */
  @Test
  void noAnswerGoesBeyondARejectionThatItDoesNotTell() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      int lines = 2_400;
      String bad = "{\"topic\":\"a\"}\n";
      sender.send((bad + bad + line("a", 1)).repeat(lines / 3));
      Set<Integer> rejected = new HashSet<>();
      int done = 0;
      while (done < lines) {
        JsonObject answer = sender.answer();
        for (Object one : answer.getJsonArray("rejected", new JsonArray())) {
          rejected.add(((JsonObject) one).getInteger("line"));
        }
        while (done < answer.getInteger("acked")) {
          done++;
          assertEquals(done % 3 != 0, rejected.contains(done), "line " + done);
        }
      }
      assertEquals(lines / 3 * 2, rejected.size());
    }
  }

  @Test
  void answersOnlyWhatIsAcknowledgedAndInOrder() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      Promise<Void> slow = Promise.promise();
      int slowShard = Topic.shard("slow", 16);
      doors.stage(b -> b.shard() == slowShard ? slow.future() : Future.succeededFuture());
      sender.send(line("slow", 1));
      OpenDoors.await(() -> doors.records().size() == 1);
      sender.send(line("b", 2));
      OpenDoors.await(() -> doors.records().size() == 2);
      sender.socket.setSoTimeout(200);
      assertFalse(hasAnswer(sender), "answered before the first line was acknowledged");
      sender.socket.setSoTimeout(60_000);
      slow.complete();
      assertEquals("{\"acked\":2}", sender.answer().encode());
    }
  }

  private static boolean hasAnswer(Sender sender) throws IOException {
    try {
      return sender.answers.read() >= 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void keepsTheOrderOfATopicWithSeveralBatchesUnderWay() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.maxBatchRecords=100");
        Sender sender = new Sender(doors)) {
      AtomicInteger underWay = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      doors.stage(
          batch -> {
            Promise<Void> promise = Promise.promise();
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            doors.vertx.setTimer(
                50,
                acknowledged -> {
                  underWay.decrementAndGet();
                  promise.complete();
                });
            return promise.future();
          });
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 5000; i++) {
        lines.append(line("a", i));
      }
      sender.send(lines.toString());
      assertEquals("", sender.rejectedUntil(5000));
      List<String> expected = IntStream.range(0, 5000).mapToObj(i -> "{\"v\":" + i + "}").toList();
      assertEquals(expected, doors.records().stream().map(OpenDoors::text).toList());
      assertTrue(doors.taken.stream().map(Batch::records).allMatch(r -> r.size() <= 100));
      assertTrue(most.get() > 1, "each Batch waits for the acknowledgement of the one before");
    }
  }

  @Test
  void stopsReadingWhileTooMuchIsInFlight() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.maxInFlightBytes=65536");
        Sender sender = new Sender(doors)) {
      Promise<Void> acknowledged = Promise.promise();
      doors.stage(batch -> acknowledged.future());
      int lines = 400_000;
      Thread writer = new Thread(() -> sendAll(sender, lines));
      writer.start();
      OpenDoors.await(() -> doors.meters.counter("galop.ingest.paused", "door", "tcp").count() > 0);
      double inFlight = doors.meters.get("galop.ingest.in.flight.bytes").gauge().value();
      assertTrue(inFlight < 2_000_000, "holds " + inFlight);
      assertTrue(writer.isAlive());
      acknowledged.complete();
      assertEquals("", sender.rejectedUntil(lines));
      writer.join();
      assertEquals(lines, doors.records().size());
    }
  }

  private static void sendAll(Sender sender, int lines) {
    String some = line("a/b/c", 1).repeat(100);
    try {
      for (int i = 0; i < lines / 100; i++) {
        sender.send(some);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void rejectsWhatNobodyTakes() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      sender.send(line("a", 1));
      assertEquals(
          "[{\"line\":1,\"reason\":\"over_quota\",\"detail\":\"the disk quota is reached; send the"
              + " record again later\"}]",
          sender.rejectedUntil(1));
    }
  }

  /** Or a record that is sent again would be stored behind a newer one. */
  @Test
  void takesNothingThatCameBehindWhatWasRefused() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      Promise<Void> first = Promise.promise();
      Promise<Void> second = Promise.promise();
      List<Future<Void>> pending = List.of(first.future(), second.future());
      doors.stage(
          batch -> {
            int nth = doors.taken.size() - 1;
            return nth < 2 ? pending.get(nth) : Future.succeededFuture();
          });
      sender.send(line("a", 1));
      OpenDoors.await(() -> doors.records().size() == 1);
      sender.send(line("a", 2));
      OpenDoors.await(() -> doors.records().size() == 2);
      first.fail(new Refusal(Refusal.Why.OVER_QUOTA, "full"));
      String rejected = sender.rejectedUntil(2);
      assertTrue(rejected.contains("\"line\":1") && rejected.contains("\"line\":2"), rejected);
      assertFalse(second.future().isComplete());
      sender.send(line("a", 3));
      assertEquals("", sender.rejectedUntil(3));
    }
  }

  @Test
  void asksForTheTokenInTheFirstLine() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      try (Sender sender = new Sender(doors)) {
        sender.send("{\"token\":\"s3cret\"}\n" + line("a", 1));
        assertEquals("{\"acked\":1}", sender.answer().encode());
      }
      for (String first : List.of(line("a", 1), "{\"token\":\"x\"}\n", "{\"token\":7}\n")) {
        try (Sender sender = new Sender(doors)) {
          sender.send(first);
          assertEquals(
              "the token is missing or wrong; send {\"token\":\"…\"} as the first line",
              sender.answer().getString("error"));
          assertNull(sender.answers.readLine());
        }
      }
      assertEquals(1, doors.records().size());
    }
  }

  @Test
  void aFirstRecordThatHoldsATokenIsNoGreeting() throws Exception {
    String both = "{\"token\":\"s3cret\",\"topic\":\"a\",\"data\":{}}\n";
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      sender.send(both + line("a", 1));
      String rejected = sender.rejectedUntil(2);
      assertTrue(rejected.startsWith("[{\"line\":1,\"reason\":\"unknown_field\""), rejected);
    }
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret");
        Sender sender = new Sender(doors)) {
      sender.send(both + line("a", 1));
      assertEquals(
          "the token is missing or wrong; send {\"token\":\"…\"} as the first line",
          sender.answer().getString("error"));
      assertEquals(0, doors.records().size());
    }
  }

  @Test
  void tellsWhoSpeaksNeitherLanguage() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      sender.send("GET / HTTP/1.1\r\n\r\n");
      JsonObject answer = sender.answer();
      assertEquals(0, answer.getInteger("acked"));
      assertEquals(
          "the connection begins neither with '{' for NDJSON nor with a Protobuf Batch",
          answer.getString("error"));
      assertNull(sender.answers.readLine());
    }
  }

  @Test
  void answersWhatCameInBeforeItCloses() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Sender sender = new Sender(doors)) {
      Promise<Void> acknowledged = Promise.promise();
      doors.stage(batch -> acknowledged.future());
      sender.send(line("a", 1));
      OpenDoors.await(() -> doors.records().size() == 1);
      Future<Void> stopped = doors.undeploy();
      OpenDoors.await(() -> !doors.node.listeners().open().containsKey("tcp"));
      assertFalse(stopped.isComplete());
      acknowledged.complete();
      assertEquals("{\"acked\":1}", sender.answer().encode());
      assertNull(sender.answers.readLine());
      stopped.await();
    }
  }
}
