package io.galop.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Records a second through a ring in shared memory: the benchmark's thread puts records of 290
 * bytes in, with a checksum each; another thread reads them, checks each and gives the room back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RingBenchmark {
  /** Of the message, with its topic and id. */
  private static final int BYTES = 290;

  private static final int CAPACITY = 1 << 24;
  private static final int MOST_MESSAGES = 256;
  private static final byte[] TOPIC =
      "race/1.132153978/runner/12115648".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ID = "0123456789ab".getBytes(StandardCharsets.UTF_8);

  private final byte[] data = new byte[BYTES - TOPIC.length - ID.length];
  private final ByteBuffer bytes = ByteBuffer.wrap(data);
  private final CRC32C crc = new CRC32C();
  private Path file;
  private RingReader reader;
  private RingPublisher ring;
  private Thread reading;
  private volatile boolean ended;
  private volatile String wrong;
  private long number;

  @Setup
  public void open() throws IOException, RingException {
    file = Files.createTempFile(Path.of("/dev/shm"), "galop", ".ring");
    Files.delete(file);
    reader = RingReader.open(file, new RingSizes(CAPACITY, 1024));
    ring = RingPublisher.open(file);
    reading = new Thread(this::read, "ring-reader");
    reading.start();
  }

  @Benchmark
  public void offer() {
    bytes.putLong(8, number);
    crc.reset();
    crc.update(data, 8, data.length - 8);
    bytes.putLong(0, crc.getValue());
    while (!ring.offer(TOPIC, ID, number, data)) {
      Thread.yield();
    }
    number++;
  }

  @TearDown(Level.Iteration)
  public void awaitRead() {
    while (ring.settled() < ring.offered() && wrong == null) {
      Thread.yield();
    }
    if (wrong != null) {
      throw new IllegalStateException(wrong);
    }
  }

  @TearDown
  public void close() throws InterruptedException, IOException {
    ended = true;
    reading.join();
    ring.close();
    reader.close();
    Files.deleteIfExists(file);
  }

  private void read() {
    Check check = new Check();
    try {
      while (!ended) {
        if (reader.read(check, MOST_MESSAGES, CAPACITY / 8) > 0) {
          reader.settle(reader.position(), check.sequence);
        } else {
          Thread.yield();
        }
      }
    } catch (RingException | IllegalStateException e) {
      wrong = e.toString();
    }
  }

  /** Sums up one record after the other. */
  private static final class Check implements RingReader.Handler {
    private final CRC32C crc = new CRC32C();
    private final byte[] data = new byte[BYTES - TOPIC.length - ID.length];
    private final ByteBuffer bytes = ByteBuffer.wrap(data);
    private long sequence;

    @Override
    public void onMessage(int type, UnsafeBuffer from, int at, int length) {
      sequence = RingMessages.sequence(from, at, length);
      from.getBytes(at + length - data.length, data);
      crc.reset();
      crc.update(data, 8, data.length - 8);
      if (crc.getValue() != bytes.getLong(0)) {
        throw new IllegalStateException("record " + sequence + " is not what was put in");
      }
    }
  }
}
