package io.galop.ingest.tcp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DynamicMessage;
import io.galop.config.ingest.IngestConfig;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Target;
import io.galop.ingest.Taken;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.publisher.Publisher;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;

/** What reads the bytes of tcp publishers, without a socket. */
public final class WireTargets {
  private static final int SHARDS = 16;
  private static final int MAX_BYTES = 4096;

  private WireTargets() {}

  /** Lines of records, in pieces as large as the first byte says. */
  public static Target lines() {
    IngestConfig config = Taken.config();
    RecordReader reader = new RecordReader(config, SHARDS, Clock.systemUTC());
    Taken taken = new Taken();
    return input -> {
      byte[] text = Pieces.rest(input);
      TcpWire wire = new NdjsonWire(reader, Publisher.ANYONE, MAX_BYTES);
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
      TcpWire wire = new ProtobufWire(reader, Publisher.ANYONE, MAX_BYTES);
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
}
