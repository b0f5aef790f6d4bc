package io.galop.persist.inspect;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.Log;
import io.galop.record.Batch;
import io.galop.record.Position;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** A data directory with a Log of small segments, and the commands to look at it. */
final class LogFixture {
  static final int SHARDS = 4;
  private static final LogConfig SMALL =
      new LogConfig(65_536, 8_192, 1L << 30, 24, (1L << 30) + 3 * 65_536, 0);

  final Path data;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private String failure = "";

  LogFixture(Path data) {
    this.data = data;
  }

  Log open() {
    return Log.open(data.resolve("log"), SMALL, SHARDS, new SimpleMeterRegistry(), new Readiness());
  }

  /** 500 records of shard 1 in epoch 7 over several segments, 3 of shard 2 in epoch 9. */
  void write() throws Exception {
    try (Log log = open()) {
      await(log.beginEpoch(1, 7, Position.none(1)));
      for (int first = 1; first <= 500; first += 50) {
        await(log.append(batch(1, 7, first, 50)));
      }
      await(log.beginEpoch(2, 9, Position.none(2)));
      await(log.append(batch(2, 9, 1, 3)));
    }
  }

  static Batch batch(int shard, long epoch, long first, int count) {
    List<Record> records = new ArrayList<>();
    for (long offset = first; offset < first + count; offset++) {
      String data = "{\"n\":" + offset + ",\n\"pad\":\"é" + "x".repeat(200) + "\"}";
      records.add(
          new Record(
              "r" + offset + "#1",
              "t/" + shard,
              1_700_000_000_000_000L + offset,
              data.getBytes(StandardCharsets.UTF_8)));
    }
    return new Batch(shard, epoch, first, records);
  }

  static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Runs {@code log …} on the directory; the exit code. */
  int run(String command, String... options) {
    out.reset();
    err.reset();
    failure = "";
    List<String> args = new ArrayList<>(List.of(command, "--data-dir", data.toString()));
    args.addAll(List.of(options));
    CommandLine line =
        LogCommand.of(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (done, of) -> {});
    line.setExecutionExceptionHandler(
        (thrown, of, parsed) -> {
          failure = thrown.getMessage();
          return 1;
        });
    line.setParameterExceptionHandler(
        (thrown, given) -> {
          failure = thrown.getMessage();
          return 2;
        });
    return line.execute(args.toArray(new String[0]));
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** What the command failed with. */
  String failure() {
    return failure;
  }

  Path segment(int sequence) {
    return data.resolve("log").resolve("%016d.log".formatted(sequence));
  }

  /** Where the text of a record stands in a segment. */
  long find(int sequence, String text) throws IOException {
    String bytes = Files.readString(segment(sequence), StandardCharsets.ISO_8859_1);
    int at = bytes.indexOf(text);
    if (at < 0) {
      throw new AssertionError(text + " is not in segment " + sequence);
    }
    return at;
  }

  void flip(int sequence, long at) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(segment(sequence).toFile(), "rw")) {
      file.seek(at);
      int before = file.read();
      file.seek(at);
      file.write(before ^ 4);
    }
  }
}
