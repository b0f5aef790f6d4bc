package io.galop.broadcast.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send compressed, and what it must not do. */
class MessageInflaterTest {
  private final MessageInflater inflater = new MessageInflater();

  @AfterEach
  void end() {
    inflater.end();
  }

  /**
   * The examples of RFC 7692, 7.2.3: a block, without compression, the last one, two, and none; and
   * two that are the last.
   */
  @ParameterizedTest
  @CsvSource({
    "f248cdc9c90700, Hello",
    "000500faff48656c6c6f00, Hello",
    "f348cdc9c9070000, Hello",
    "f24805000000ffffcac9c90700, Hello",
    "f348cdc9c90700f348cdc9c9070000, HelloHello",
    "00, ''"
  })
  void readsWhatTheStandardShows(String hex, String text) throws Exception {
    byte[] message = HexFormat.of().parseHex(hex);
    for (int again = 0; again < 2; again++) {
      byte[] read = inflater.inflated(message, text.length());
      assertNotNull(read);
      assertEquals(text, new String(read, StandardCharsets.US_ASCII));
    }
  }

  /** The second of the standard's examples of a shared context refers to the message before. */
  @Test
  void aMessageMayNotReferToTheOneBefore() throws Exception {
    assertNotNull(inflater.inflated(HexFormat.of().parseHex("f248cdc9c90700"), 5));
    byte[] second = HexFormat.of().parseHex("f200110000");
    assertThrows(DataFormatException.class, () -> inflater.inflated(second, 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "0605fa", "000500fafe48656c6c6f00"})
  void refusesWhatNoCompressorMakes(String hex) throws Exception {
    byte[] message = HexFormat.of().parseHex(hex);
    assertThrows(DataFormatException.class, () -> inflater.inflated(message, 100));
    byte[] next = inflater.inflated(HexFormat.of().parseHex("f248cdc9c90700"), 5);
    assertArrayEquals("Hello".getBytes(StandardCharsets.US_ASCII), next);
  }

  @Test
  void oneByteMoreThanAllowedIsTooMuch() throws Exception {
    byte[] message = HexFormat.of().parseHex("f248cdc9c90700");
    assertNull(inflater.inflated(message, 4));
    assertNotNull(inflater.inflated(message, 5));
  }

  /** 64 MB of zeros in 64 KB: the memory taken is that of what comes and of what is allowed. */
  @Test
  void aBombTakesNoMemory() throws Exception {
    byte[] bomb = TestDeflate.compressed(new byte[64 << 20]);
    assertTrue(bomb.length < 100_000, "" + bomb.length);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertNull(inflater.inflated(bomb, 64 << 10));
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(taken < 1 << 20, "bytes taken: " + taken);
  }

  @Test
  void manyLastBlocksEnd() throws Exception {
    byte[] blocks = new byte[64 << 10];
    for (int i = 0; i < blocks.length; i += 2) {
      blocks[i] = 3; // a last block of nothing
    }
    assertArrayEquals(new byte[0], inflater.inflated(blocks, 10));
  }
}
