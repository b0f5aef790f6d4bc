package io.galop.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class RingFileTest {
  private static final RingSizes SIZES = new RingSizes(65_536, 1024);
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("a.ring");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> read(RingReader reader) throws RingException {
    List<String> lines = new ArrayList<>();
    reader.read(
        (type, from, at, length) ->
            lines.add(new String(RingMessages.line(from, at, length), StandardCharsets.UTF_8)),
        1000,
        1 << 20);
    return lines;
  }

  private static String refusal(org.junit.jupiter.api.function.Executable open) {
    return assertThrows(RingException.class, open).getMessage();
  }

  @Test
  void whatIsReadStaysUntilItIsSettled() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES);
        RingPublisher ring = RingPublisher.open(file())) {
      ring.offerLine(bytes("1"));
      ring.offerLine(bytes("2"));
      assertEquals(List.of("1", "2"), read(reader));
      assertEquals(List.of(), read(reader));
      reader.rewind();
      assertEquals(List.of("1", "2"), read(reader));
      assertEquals(0, ring.settled());
      reader.settle(reader.position(), (1L << RingLayout.SESSION_SHIFT) + 2);
      assertEquals(2, ring.settled());
      assertEquals(0, reader.unsettledBytes());
    }
  }

  @Test
  void goesRoundManyTimes() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES);
        RingPublisher ring = RingPublisher.open(file())) {
      int seen = 0;
      for (int sent = 0; sent < 20_000; ) {
        while (sent < 20_000 && ring.offerLine(bytes("x".repeat(sent % 900) + sent))) {
          sent++;
        }
        for (String line : read(reader)) {
          assertEquals("x".repeat(seen % 900) + seen, line);
          seen++;
        }
        reader.settle(reader.position(), (1L << RingLayout.SESSION_SHIFT) + seen);
      }
      assertEquals(seen, ring.settled());
    }
  }

  /** A producer may die at any point of a write: with the tail moved, and with half a message. */
  @Test
  void whatADeadProducerHadNotFinishedIsForgotten() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES)) {
      for (boolean claimed : new boolean[] {true, false}) {
        try (RingFile dead = RingFile.attach(file())) {
          OneToOneRingBuffer ring = dead.records.ring();
          if (claimed) {
            ring.tryClaim(RingLayout.LINE, 100);
          } else {
            int tail = dead.records.index(0) + 65_536 + RingBufferDescriptor.TAIL_POSITION_OFFSET;
            dead.records.buffer().putLong(tail, dead.records.tail() + 200);
          }
        }
        assertEquals(List.of(), read(reader));
        try (RingPublisher ring = RingPublisher.open(file())) {
          ring.offerLine(bytes("after"));
          assertEquals(List.of("after"), read(reader));
        }
      }
    }
  }

  @Test
  void theNextProducerCountsItsOwn() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES)) {
      try (RingPublisher first = RingPublisher.open(file())) {
        first.offerLine(bytes("of the first"));
      }
      try (RingPublisher next = RingPublisher.open(file())) {
        read(reader);
        reader.reject((1L << RingLayout.SESSION_SHIFT) + 1, "malformed", "of the first");
        reader.settle(reader.position(), (1L << RingLayout.SESSION_SHIFT) + 1);
        assertEquals(0, next.settled());
        assertEquals(1, next.poll((number, reason, detail) -> assertEquals("", detail), 10));
      }
    }
  }

  @Test
  void aSequenceThatCannotBeMovesNothing() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES);
        RingPublisher ring = RingPublisher.open(file())) {
      long base = 1L << RingLayout.SESSION_SHIFT;
      reader.settle(0, base + 3);
      for (long bogus : new long[] {0, -1, base + 2, 2 * base, Long.MAX_VALUE}) {
        reader.settle(0, bogus);
        assertEquals(3, ring.settled(), "after " + bogus);
      }
    }
  }

  @Test
  void rejectionsThatNobodyPollsAreCounted() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES);
        RingPublisher ring = RingPublisher.open(file())) {
      int told = 0;
      while (reader.reject((1L << RingLayout.SESSION_SHIFT) + 1, "malformed", "d".repeat(1000))) {
        told++;
      }
      assertEquals(1, ring.rejectionsDropped());
      List<String> reasons = new ArrayList<>();
      ring.poll((number, reason, detail) -> reasons.add(number + reason + detail.length()), 10_000);
      assertEquals(told, reasons.size());
      assertEquals("1malformed1000", reasons.get(0));
    }
  }

  @Test
  void refusesWhatItCannotUse() throws IOException {
    assertTrue(refusal(() -> RingPublisher.open(file())).startsWith("no ring at "));
    Files.writeString(file(), "something else");
    assertTrue(refusal(() -> RingReader.open(file(), SIZES)).contains(" is no ring; delete it"));
    Files.delete(file());
    RingReader.open(file(), SIZES).close();
    patch(RingLayout.VERSION_AT, 9);
    assertTrue(
        refusal(() -> RingReader.open(file(), SIZES)).contains("version 9, this Galop knows"));
    assertTrue(refusal(() -> RingPublisher.open(file())).contains("version 9, this Galop knows"));
    patch(RingLayout.VERSION_AT, RingLayout.VERSION);
    String other = refusal(() -> RingReader.open(file(), new RingSizes(131_072, 1024)));
    assertTrue(other.contains("capacityBytes 65536 and maxMessageBytes 1024, not 131072"), other);
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.setLength(5000);
    }
    assertTrue(refusal(() -> RingReader.open(file(), SIZES)).contains("does not have the size"));
  }

  @Test
  void hasOneReaderAndOneProducer() throws IOException {
    try (RingReader reader = RingReader.open(file(), SIZES);
        RingPublisher ring = RingPublisher.open(file())) {
      assertTrue(refusal(() -> RingReader.open(file(), SIZES)).startsWith("another node reads"));
      assertTrue(refusal(() -> RingPublisher.open(file())).startsWith("another producer has"));
      assertTrue(ring.isServed() && reader.ringId() > 0);
      // who was refused has looked at the file, and must not have taken the locks away
      assertEquals(java.util.Optional.empty(), SIZES.wrong(file()));
      assertEquals("taken taken", lockedForOthers());
      ring.close();
      assertEquals("taken free", lockedForOthers());
      RingPublisher.open(file()).close();
    }
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
  }

  /** What another process finds: the node's lock, the producer's. */
  private String lockedForOthers() throws IOException {
    Path classes =
        Path.of(OtherProcess.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                classes.toString(),
                OtherProcess.class.getName(),
                file().toString())
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] args) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
        String node = channel.tryLock(0, 1, false) == null ? "taken" : "free";
        String producer = channel.tryLock(1, 1, false) == null ? "taken" : "free";
        System.out.println(node + " " + producer);
      }
    }
  }

  @Test
  void noLengthOfADamagedMessageIsBelieved() throws IOException {
    for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 7, 65_537, 65_536, 7, 1}) {
      Files.deleteIfExists(file());
      try (RingReader reader = RingReader.open(file(), SIZES);
          RingFile producer = RingFile.attach(file())) {
        UnsafeBuffer records = producer.records.buffer();
        records.putInt(4, RingLayout.LINE);
        records.putInt(0, length);
        if (length == 65_536) {
          assertEquals(
              65_536 - 8 - RingLayout.LINE_TEXT_AT,
              read(reader).get(0).length(),
              "as long as the ring");
        } else {
          assertTrue(refusal(() -> read(reader)).contains("no message can have " + length));
        }
      }
    }
  }

  @Test
  void aDamagedRingCanBeOpenedAgainOnceItIsWhole() throws IOException {
    RingReader.open(file(), SIZES).close();
    int length = patch(RingLayout.HEADER_BYTES, Integer.MAX_VALUE);
    int tailAt = RingLayout.HEADER_BYTES + 65_536 + RingBufferDescriptor.TAIL_POSITION_OFFSET;
    patch(tailAt, 64);
    assertTrue(refusal(() -> RingPublisher.open(file())).contains("is damaged"));
    patch(RingLayout.HEADER_BYTES, length);
    RingPublisher.open(file()).close();
  }

  @Test
  void whatOutlivedTheMachineIsForgotten() throws IOException {
    long ringId;
    try (RingReader before = RingReader.open(file(), SIZES)) {
      ringId = before.ringId();
    }
    patch(RingLayout.SETTLED_AT + 4, 0x900); // of session 9, which the disk knows nothing of
    try (RingPublisher ring = RingPublisher.open(file())) {
      ring.offerLine(bytes("before the power cut"));
    }
    patch(RingLayout.BOOT_ID_AT, 77);
    assertTrue(refusal(() -> RingPublisher.open(file())).contains("since the machine was started"));
    try (RingReader reader = RingReader.open(file(), SIZES)) {
      assertEquals(List.of(), read(reader));
      assertFalse(reader.unsettledBytes() > 0);
      assertNotEquals(ringId, reader.ringId(), "sessions may come again, so ids must be others");
      try (RingPublisher ring = RingPublisher.open(file())) {
        assertEquals(0, ring.settled());
      }
    }
  }

  /** Writes a number; the one that was there. */
  private int patch(int at, int value) throws IOException {
    try (RandomAccessFile raw = new RandomAccessFile(file().toFile(), "rw")) {
      raw.seek(at);
      int before = Integer.reverseBytes(raw.readInt());
      raw.seek(at);
      raw.writeInt(Integer.reverseBytes(value));
      return before;
    }
  }
}
