package io.galop.ingest;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DynamicMessage;
import io.galop.config.ingest.IngestConfig;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Target;
import io.galop.record.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;

/** What reads the bytes of publishers, without a socket. */
public final class ParserTargets {
  private static final int SHARDS = 16;
  private static final int MAX_BYTES = 4096;

  private ParserTargets() {}

  /** JSON values: taken if Jackson takes them. */
  public static Target json() {
    JsonScanner scanner = new JsonScanner(8, 16);
    return input -> {
      scanner.over(input, input.length);
      int end = scanner.value(scanner.space(0));
      boolean good = end >= 0 && scanner.space(end) == input.length;
      if (end < 0 && scanner.reason() != Reason.MALFORMED) {
        return; // a limit of Galop's own
      }
      String text = new String(input, StandardCharsets.UTF_8);
      boolean expected = JsonScanner.isUtf8(input) && Taken.isJson(text);
      Taken.require(good == expected, "the scanner says " + good + ": " + text);
    };
  }

  /** Lines of records, in pieces as large as the first byte says. */
  public static Target lines() {
    IngestConfig config = Taken.config();
    RecordReader reader = new RecordReader(config, SHARDS, Clock.systemUTC());
    Taken taken = new Taken();
    return input -> {
      byte[] text = Pieces.rest(input);
      TcpWire wire = new NdjsonWire(reader, Token.of(config), MAX_BYTES);
      taken.begin();
      int lines = 0;
      for (byte[] piece : Pieces.of(text, Pieces.choice(input))) {
        taken.nextPiece();
        int read = wire.take(piece, taken);
        Taken.require(taken.lastLine() <= read, "line " + taken.lastLine() + " of " + read);
        lines += read;
      }
      taken.nextPiece();
      lines += wire.end(taken);
      check(new String(text, StandardCharsets.ISO_8859_1), lines, taken);
    };
  }

  private static void check(String text, int lines, Taken taken) {
    String[] all = text.split("\n", -1);
    int expected = all[all.length - 1].isEmpty() ? all.length - 1 : all.length;
    boolean greeting = all[0].startsWith("{\"token\"");
    Taken.require(
        lines == expected || greeting && lines == expected - 1,
        lines + " lines of " + expected + " were counted");
    long full = Arrays.stream(all).filter(line -> !line.matches("[ \t\r]*")).count();
    Taken.require(
        taken.all() == full || greeting && taken.all() >= full - 1,
        taken.all() + " of " + full + " lines came to something");
  }

  /** Messages of Protobuf, in pieces as large as the first byte says. */
  public static Target protobuf() throws Exception {
    IngestConfig config = Taken.config();
    RecordReader reader = new RecordReader(config, SHARDS, Clock.systemUTC());
    RecordProto proto = new RecordProto();
    Taken taken = new Taken();
    return input -> {
      byte[] bytes = Pieces.rest(input);
      TcpWire wire = new ProtobufWire(reader, Token.of(config), MAX_BYTES);
      taken.begin();
      int lines = 0;
      boolean failed = false;
      try {
        for (byte[] piece : Pieces.of(bytes, Pieces.choice(input))) {
          taken.nextPiece();
          lines += wire.take(piece, taken);
        }
      } catch (TcpFailure e) {
        lines += e.lines();
        failed = true;
      }
      Taken.require(taken.all() == lines || failed, taken.all() + " records of " + lines);
      int expected = count(proto, bytes);
      Taken.require(failed || expected < 0 || expected == lines, lines + " of " + expected);
    };
  }

  /** How many records the Protobuf library finds; -1 if it finds no messages. */
  private static int count(RecordProto proto, byte[] bytes) {
    int records = 0;
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      while (!in.isAtEnd()) {
        int length = in.readRawVarint32();
        if (length < 0 || bytes.length - in.getTotalBytesRead() < length) {
          return records;
        }
        DynamicMessage message = proto.message("Batch").mergeFrom(in.readRawBytes(length)).build();
        records += ((java.util.List<?>) RecordProto.get(message, "records")).size();
      }
      return records;
    } catch (java.io.IOException e) {
      return -1;
    }
  }

  /** Payloads of MQTT messages; the first byte says whether they are retained. */
  public static Target payload() {
    IngestConfig config = Taken.config();
    RecordReader reader = new RecordReader(config, SHARDS, Clock.systemUTC());
    MqttPayload payload = new MqttPayload(reader, config);
    Taken taken = new Taken();
    return input -> {
      byte[] bytes = Pieces.rest(input);
      taken.begin();
      payload.read("a/b", bytes, Pieces.choice(input) % 2 == 1, taken);
      Taken.require(taken.all() == 1, "it came to " + taken.all());
      boolean isText = JsonScanner.isUtf8(bytes) && bytes.length > 0 && bytes.length < 150;
      String text = new String(bytes, StandardCharsets.UTF_8);
      boolean refused = taken.lastRejection() != null;
      Reason reason = refused ? taken.lastRejection().reason() : null;
      boolean limit = refused && reason != Reason.MALFORMED;
      boolean broken = text.matches("(?s)[ \t\r\n]*\\{.*") && !Taken.isJson(text);
      Taken.require(!isText || limit || refused == broken, "refused: " + refused + ": " + text);
    };
  }
}
