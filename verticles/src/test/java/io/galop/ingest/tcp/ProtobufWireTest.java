package io.galop.ingest.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import io.galop.ingest.OpenDoors;
import io.galop.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client made from record.proto at the tcp door. */
@Timeout(180)
class ProtobufWireTest {
  private final RecordProto proto = new RecordProto();

  ProtobufWireTest() throws Exception {}

  private DynamicMessage record(String topic, String data) {
    return proto.message("Record", "topic", topic, "data", ByteString.copyFromUtf8(data));
  }

  private DynamicMessage batch(Object... records) {
    return proto.message("Batch", "records", List.of(records));
  }

  private static Socket connect(OpenDoors doors) throws IOException {
    Socket socket = new Socket("127.0.0.1", doors.port("tcp"));
    socket.setSoTimeout(60_000);
    return socket;
  }

  private DynamicMessage answer(InputStream in) throws IOException {
    DynamicMessage.Builder answer = proto.message("Acknowledgement");
    assertTrue(answer.mergeDelimitedFrom(in), "the connection has ended");
    return answer.build();
  }

  private DynamicMessage answer(InputStream in, long acked) throws IOException {
    DynamicMessage answer = answer(in);
    while ((long) RecordProto.get(answer, "acked") < acked) {
      answer = answer(in);
    }
    assertEquals(acked, RecordProto.get(answer, "acked"));
    return answer;
  }

  /** Whoever sends one waits for its answer. */
  @Test
  void answersABatchWithoutRecords() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      batch().writeDelimitedTo(socket.getOutputStream());
      assertEquals(0L, RecordProto.get(answer(socket.getInputStream()), "acked"));
      proto.message("Batch", "token", "any").writeDelimitedTo(socket.getOutputStream());
      assertEquals(0L, RecordProto.get(answer(socket.getInputStream()), "acked"));
      batch(record("a", "{}")).writeDelimitedTo(socket.getOutputStream());
      answer(socket.getInputStream(), 1);
      batch().writeDelimitedTo(socket.getOutputStream());
      assertEquals(1L, RecordProto.get(answer(socket.getInputStream()), "acked"));
      assertEquals(1, doors.records().size());
    }
  }

  @Test
  void takesBatchesInWhateverPiecesTheyCome() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      List<DynamicMessage> records = new ArrayList<>();
      for (int k = 0; k <= i % 7; k++) {
        expected.add("{\"v\":" + (i * 10 + k) + "}");
        records.add(record("a", expected.get(expected.size() - 1)));
      }
      batch(records.toArray()).writeDelimitedTo(bytes);
    }
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      socket.setTcpNoDelay(true);
      byte[] all = bytes.toByteArray();
      for (int at = 0; at < all.length; at += 97) {
        socket.getOutputStream().write(all, at, Math.min(97, all.length - at));
      }
      answer(socket.getInputStream(), expected.size());
      assertEquals(
          expected,
          doors.records().stream().map(r -> new String(r.data(), StandardCharsets.UTF_8)).toList());
    }
  }

  @Test
  void takesIdAndTimeAndTellsWhatIsRejected() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      DynamicMessage good =
          proto.message(
              "Record",
              "topic",
              "ä/b",
              "data",
              ByteString.copyFromUtf8("{}"),
              "id",
              "i",
              "time",
              0L);
      DynamicMessage late =
          record("a", "{}").toBuilder()
              .setField(good.getDescriptorForType().findFieldByName("time"), -1L)
              .build();
      batch(good, record("a", "{"), record("a/#", "{}"), late, record("b", "{\n}"))
          .writeDelimitedTo(socket.getOutputStream());
      DynamicMessage answer = answer(socket.getInputStream(), 5);
      List<String> rejected = new ArrayList<>();
      for (Object one : (List<?>) RecordProto.get(answer, "rejected")) {
        DynamicMessage rejection = (DynamicMessage) one;
        rejected.add(
            RecordProto.get(rejection, "line") + " " + RecordProto.get(rejection, "reason"));
      }
      assertEquals(List.of("2 malformed", "3 topic_not_allowed", "4 bad_time"), rejected);
      Record first =
          doors.records().stream().filter(r -> r.id().equals("i")).findFirst().orElseThrow();
      assertEquals("ä/b", first.topic());
      assertEquals(0, first.timeUs());
      assertEquals(2, doors.records().size());
    }
  }

  /** 123 is '{': a connection may begin with a Batch of that length all the same. */
  @Test
  void isNotTakenForJson() throws Exception {
    try (OpenDoors doors = new OpenDoors();
        Socket socket = connect(doors)) {
      DynamicMessage batch = batch(record("a", "{\"v\":\"" + "x".repeat(108) + "\"}"));
      assertEquals('{', batch.getSerializedSize());
      batch.writeDelimitedTo(socket.getOutputStream());
      answer(socket.getInputStream(), 1);
    }
  }

  @Test
  void asksForTheTokenInTheFirstBatch() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      try (Socket socket = connect(doors)) {
        proto
            .message("Batch", "token", "s3cret", "records", List.of(record("a", "{}")))
            .writeDelimitedTo(socket.getOutputStream());
        answer(socket.getInputStream(), 1);
      }
      try (Socket socket = connect(doors)) {
        batch(record("a", "{}")).writeDelimitedTo(socket.getOutputStream());
        assertEquals(
            "the token is missing or wrong; send it as 'token' of the first Batch",
            RecordProto.get(answer(socket.getInputStream()), "error"));
        assertEquals(-1, socket.getInputStream().read());
      }
      assertEquals(1, doors.records().size());
    }
  }

  @Test
  void endsTheConnectionOverWhatIsNoMessageAndAnswersWhatWasBefore() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.tcp.maxMessageBytes=1024")) {
      try (Socket socket = connect(doors)) {
        batch(record("a", "{}")).writeDelimitedTo(socket.getOutputStream());
        batch(record("a", "{\"v\":\"" + "x".repeat(2000) + "\"}"))
            .writeDelimitedTo(socket.getOutputStream());
        DynamicMessage answer = answer(socket.getInputStream(), 1);
        while (RecordProto.get(answer, "error").equals("")) {
          answer = answer(socket.getInputStream());
        }
        String error = (String) RecordProto.get(answer, "error");
        assertTrue(error.contains("ingest.tcp.maxMessageBytes"), error);
        assertEquals(1L, RecordProto.get(answer, "acked"));
        assertEquals(-1, socket.getInputStream().read());
      }
      try (Socket socket = connect(doors)) {
        socket.getOutputStream().write(new byte[] {4, 3 << 3 | 2, 100, 1, 1});
        String error = (String) RecordProto.get(answer(socket.getInputStream()), "error");
        assertTrue(error.startsWith("a message is no Batch of record.proto"), error);
      }
    }
  }
}
