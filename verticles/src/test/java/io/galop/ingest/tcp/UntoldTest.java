package io.galop.ingest.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import io.galop.ingest.OpenDoors;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rejections that their sender does not read. */
@Tag("slow")
@Timeout(180)
class UntoldTest {
  private static final int RECORDS_FIELD = 3 << 3 | 2;

  private final RecordProto proto = new RecordProto();

  UntoldTest() throws Exception {}

  private static Socket connect(OpenDoors doors) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8_192);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress("127.0.0.1", doors.port("tcp")));
    return socket;
  }

  private static double untold(OpenDoors doors, String what) {
    return doors.meters.get("galop.ingest.untold." + what).gauge().value();
  }

  /** A Batch of a good record, and of empty ones. */
  private byte[] batch(int empty) throws IOException {
    DynamicMessage good =
        proto.message("Record", "topic", "a", "data", ByteString.copyFromUtf8("{}"));
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    proto.message("Batch", "records", List.of(good)).writeTo(batch);
    for (int i = 0; i < empty; i++) {
      batch.write(RECORDS_FIELD);
      batch.write(0);
    }
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    int length = batch.size();
    while (length > 127) {
      message.write(length & 127 | 128);
      length >>= 7;
    }
    message.write(length);
    batch.writeTo(message);
    return message.toByteArray();
  }

  /** Reads answers up to a count, and checks that each rejection comes once, in order. */
  private long rejectionsUntil(InputStream in, long acked) throws IOException {
    long rejected = 0;
    long last = 0;
    long done = 0;
    while (done < acked) {
      DynamicMessage.Builder answer = proto.message("Acknowledgement");
      assertTrue(answer.mergeDelimitedFrom(in), "the connection has ended");
      DynamicMessage whole = answer.build();
      done = (long) RecordProto.get(whole, "acked");
      List<?> told = (List<?>) RecordProto.get(whole, "rejected");
      assertTrue(told.size() <= 500, () -> told.size() + " in one answer");
      for (Object one : told) {
        long line = (long) RecordProto.get((DynamicMessage) one, "line");
        assertTrue(line > last, line + " after " + last);
        last = line;
      }
      assertTrue(last <= done, "a rejection beyond what is done");
      rejected += told.size();
    }
    return rejected;
  }

  /** Two bytes of a Batch are a record, and a sentence if it is told. */
  @Test
  void aLargeBatchOfWhichNothingIsReadHoldsLittle() throws Exception {
    int empty = 400_000;
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      socket.getOutputStream().write(batch(empty));
      OpenDoors.await(() -> untold(doors, "rejections") > 0);
      assertTrue(untold(doors, "bytes") <= 3 * empty + 200, "two bytes each, and room to grow");
      Thread.sleep(500);
      double deaf = untold(doors, "rejections");
      assertTrue(deaf > empty / 2, () -> deaf + " wait: the others are text by now");
      socket.getOutputStream().write(batch(1));
      assertEquals(
          empty + 1, rejectionsUntil(new BufferedInputStream(socket.getInputStream()), empty + 3));
      assertEquals(0, untold(doors, "rejections"));
      assertEquals(0, untold(doors, "bytes"));
      assertEquals(2, doors.records().size());
    }
  }

  /** Whoever goes leaves nothing behind. */
  @Test
  void nothingIsHeldForWhoHasGone() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      try (Socket socket = connect(doors)) {
        socket.getOutputStream().write(batch(200_000));
        OpenDoors.await(() -> untold(doors, "rejections") > 0);
      }
      OpenDoors.await(() -> untold(doors, "bytes") == 0);
      assertEquals(0, untold(doors, "rejections"));
    }
  }

  /** It goes on when they are read, and misses none. */
  @Test
  void whoReadsNoRejectionsIsNotReadOn() throws Exception {
    AtomicLong written = new AtomicLong();
    int lines = 200_000;
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      byte[] some = ("{" + "a".repeat(198) + "\n").repeat(1_000).getBytes(US_ASCII);
      Thread sender =
          new Thread(
              () -> {
                try {
                  for (int sent = 0; sent < lines; sent += 1_000) {
                    socket.getOutputStream().write(some);
                    written.addAndGet(1_000);
                  }
                } catch (IOException e) {
                  written.set(-1);
                }
              });
      sender.start();
      OpenDoors.await(() -> untold(doors, "rejections") > 500);
      long before = -1;
      while (before != written.get()) {
        before = written.get();
        Thread.sleep(300);
      }
      assertTrue(before < lines, "everything was read, though nothing was");
      double deaf = untold(doors, "rejections");
      assertTrue(deaf < 2_000, () -> deaf + " wait: more than of a single read");
      assertEquals(lines, all(socket, lines));
      sender.join();
      assertEquals(0, untold(doors, "rejections"));
    }
  }

  private static long all(Socket socket, int lines) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    long rejected = 0;
    long done = 0;
    while (done < lines) {
      JsonObject answer = new JsonObject(in.readLine());
      JsonArray told = answer.getJsonArray("rejected", new JsonArray());
      for (int i = 0; i < told.size(); i++) {
        assertEquals(++rejected, told.getJsonObject(i).getLong("line"));
      }
      done = answer.getLong("acked");
      assertEquals(rejected, done, "no line is told that is not rejected");
    }
    return rejected;
  }

  /** What waits for good lines is not told yet, and counts all the same. */
  @Test
  void nothingIsReadOnBehindRejectionsThatWaitForWhatWasBefore() throws Exception {
    waitBehindAGoodLine("{a\n".repeat(2_000), 2_000);
  }

  /** Lines in between take memory, too. */
  @Test
  void nothingIsReadOnBehindFewRejectionsThatAreFarApart() throws Exception {
    waitBehindAGoodLine("\n".repeat(19_999) + "{a\n", 20_000);
  }

  private static void waitBehindAGoodLine(String some, int lines) throws Exception {
    int pieces = 100;
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      Promise<Void> stored = Promise.promise();
      doors.stage(batch -> stored.future());
      socket.getOutputStream().write("{\"topic\":\"a\",\"data\":{}}\n".getBytes(US_ASCII));
      OpenDoors.await(() -> doors.records().size() == 1);
      for (int i = 0; i < pieces; i++) {
        socket.getOutputStream().write(some.getBytes(US_ASCII));
      }
      Thread.sleep(500);
      double lineCount = untold(doors, "rejections");
      double bytes = untold(doors, "bytes");
      assertTrue(lineCount > 0 && lineCount < 40_000, () -> lineCount + " wait");
      assertTrue(bytes < 400_000, () -> bytes + " bytes wait");
      stored.complete();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      long all = 1 + (long) pieces * lines;
      long done = 0;
      while (done < all) {
        done = new JsonObject(in.readLine()).getLong("acked");
      }
      assertEquals(all, done);
      assertEquals(0, untold(doors, "bytes"));
    }
  }

  /** Some may be settled only when it has gone. */
  @Test
  void nothingIsHeldForWhoHasGoneBeforeItWasSettled() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Promise<Void> stored = Promise.promise();
      doors.stage(batch -> stored.future());
      try (Socket socket = connect(doors)) {
        socket.getOutputStream().write(batch(10_000));
        OpenDoors.await(() -> untold(doors, "rejections") == 10_000);
      }
      Thread.sleep(200);
      stored.complete();
      OpenDoors.await(() -> untold(doors, "bytes") == 0);
      assertEquals(0, untold(doors, "rejections"));
    }
  }

  /** Its sender sends again what it was not told. */
  @Test
  void nobodyWhoReadsNothingKeepsANodeFromItsEnd() throws Exception {
    try (OpenDoors doors = new OpenDoors("node.shutdownTimeoutMs=1500");
        Socket socket = connect(doors)) {
      socket.getOutputStream().write(batch(400_000));
      OpenDoors.await(() -> untold(doors, "rejections") > 0);
      doors.undeploy().await(10, TimeUnit.SECONDS);
      assertEquals(0, untold(doors, "rejections"));
    }
  }

  /** Nor who has been told all, as text that waits in the process. */
  @Test
  void nobodyWhoReadsNoTextKeepsANodeFromItsEnd() throws Exception {
    try (OpenDoors doors = new OpenDoors("node.shutdownTimeoutMs=1500");
        Socket socket = connect(doors)) {
      byte[] bad = ("{" + "a".repeat(198) + "\n").repeat(400).getBytes(US_ASCII);
      for (int i = 0; i < 300 && untold(doors, "rejections") == 0; i++) {
        socket.getOutputStream().write(bad);
        Thread.sleep(20);
      }
      doors.undeploy().await(10, TimeUnit.SECONDS);
      assertEquals(0, untold(doors, "rejections"));
    }
  }

  /** Nothing of it is acknowledged, so its sender sends it again. */
  @Test
  void aConnectionEndsWhoseRejectionsHaveNoRoom() throws Exception {
    int empty = 60_000;
    try (OpenDoors doors = new OpenDoors("ingest.maxInFlightBytes=65536");
        Socket socket = connect(doors)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      socket.getOutputStream().write(batch(1));
      assertEquals(1, rejectionsUntil(in, 2));
      socket.getOutputStream().write(batch(empty));
      DynamicMessage.Builder answer = proto.message("Acknowledgement");
      assertTrue(answer.mergeDelimitedFrom(in));
      assertEquals(2L, RecordProto.get(answer.build(), "acked"), "none of its lines");
      String error = (String) RecordProto.get(answer.build(), "error");
      assertTrue(error.contains("in smaller parts"), error);
      assertFalse(proto.message("Acknowledgement").mergeDelimitedFrom(in), "it has ended");
      assertEquals(0, untold(doors, "bytes"));
      assertEquals(1, doors.meters.get("galop.ingest.untold.ended").counter().count());
    }
  }

  /** What cannot be read ends a connection, when everything before is told. */
  @Test
  void anErrorIsToldBehindAllRejections() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      byte[] batch = batch(50_000);
      socket.getOutputStream().write(batch);
      socket.getOutputStream().write(new byte[] {-1, -1, -1, -1, -1, -1});
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Thread.sleep(300);
      assertEquals(50_000, rejectionsUntil(in, 50_001));
      DynamicMessage.Builder answer = proto.message("Acknowledgement");
      assertTrue(answer.mergeDelimitedFrom(in));
      String error = (String) RecordProto.get(answer.build(), "error");
      assertTrue(error.contains("maxMessageBytes"), error);
    }
  }
}
