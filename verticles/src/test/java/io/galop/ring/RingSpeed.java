package io.galop.ring;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How many records a second go through a ring: one process puts them in with a checksum each, this
 * one reads them, checks every checksum and gives the room back.
 *
 * <pre>{@code
 * mvn -q -o -pl verticles test-compile dependency:build-classpath -Dmdep.outputFile=target/classpath
 * java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
 *   -cp verticles/target/test-classes:verticles/target/classes:$(cat verticles/target/classpath) \
 *   io.galop.ring.RingSpeed 20000000 /dev/shm
 * }</pre>
 */
public final class RingSpeed {
  /** Of the message, so that a record has 290 with its topic and id. */
  private static final int BYTES = 290;

  private static final int CAPACITY = 1 << 24;
  private static final int ROUNDS = 5;
  private static final int MOST_MESSAGES = 256;
  private static final byte[] TOPIC = "race/1.132153978/runner/12115648".getBytes();
  private static final byte[] ID = "0123456789ab".getBytes();

  private RingSpeed() {}

  /** Arguments: records a round, directory; and for the other process the file. */
  public static void main(String[] args) throws Exception {
    if (args.length == 3) {
      produce(Path.of(args[2]), Long.parseLong(args[0]));
      return;
    }
    long records = Long.parseLong(args[0]);
    Path file = Files.createTempFile(Path.of(args[1]), "speed", ".ring");
    Files.delete(file);
    try (RingReader reader = RingReader.open(file, new RingSizes(CAPACITY, 1024))) {
      Process producer = producer(args, file);
      for (int round = 0; round < ROUNDS; round++) {
        measure(reader, records);
      }
      if (producer.waitFor() != 0) {
        throw new IllegalStateException("the producer failed");
      }
    } finally {
      Files.delete(file);
    }
  }

  private static Process producer(String[] args, Path file) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dagrona.disable.bounds.checks="
                    + Boolean.getBoolean("agrona.disable.bounds.checks"),
                "-cp",
                System.getProperty("java.class.path"),
                RingSpeed.class.getName(),
                args[0],
                args[1],
                file.toString()))
        .inheritIO()
        .start();
  }

  private static void produce(Path file, long records) throws IOException {
    byte[] data = new byte[BYTES - TOPIC.length - ID.length];
    ByteBuffer bytes = ByteBuffer.wrap(data);
    CRC32C crc = new CRC32C();
    long cpuStart = cpuNs();
    try (RingPublisher ring = RingPublisher.open(file)) {
      for (long record = 0; record < records * ROUNDS; record++) {
        bytes.putLong(8, record);
        crc.reset();
        crc.update(data, 8, data.length - 8);
        bytes.putLong(0, crc.getValue());
        while (!ring.offer(TOPIC, ID, record, data)) {
          Thread.yield();
        }
      }
      double cpuNs = (double) (cpuNs() - cpuStart) / (records * ROUNDS);
      System.out.printf("the producer took %.0f ns of CPU each%n", cpuNs);
      while (ring.settled() < ring.offered()) {
        Thread.yield();
      }
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

  private static void measure(RingReader reader, long records) throws RingException {
    Check check = new Check();
    long read = 0;
    long start = System.nanoTime();
    long cpuStart = cpuNs();
    while (read < records) {
      int most = (int) Math.min(MOST_MESSAGES, records - read);
      int messages = reader.read(check, most, CAPACITY / 8);
      if (messages > 0) {
        read += messages;
        reader.settle(reader.position(), check.sequence);
      } else {
        Thread.yield();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuNs = (double) (cpuNs() - cpuStart) / records;
    System.out.printf(
        "%,d records in %.2f s: %,.0f/s, the reader took %.0f ns of CPU each%n",
        records, seconds, records / seconds, cpuNs);
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
