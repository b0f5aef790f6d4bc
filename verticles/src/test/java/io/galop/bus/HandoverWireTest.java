package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.vertx.core.buffer.Buffer;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What nodes say of a takeover, and what is read of those who do not tell which Log they have. */
class HandoverWireTest {
  private static final int LONG = Long.BYTES;
  private static final Position LAST = new Position(3, 7L << 32, 12);

  /** As read where the last bytes were not sent. */
  private static <T> T read(
      BiConsumer<Buffer, T> write, Function<Wire.Reader, T> read, T message, int unsentBytes) {
    Buffer bytes = Buffer.buffer();
    write.accept(bytes, message);
    return read.apply(new Wire.Reader(bytes.getBuffer(0, bytes.length() - unsentBytes), 0));
  }

  @Test
  void aSealTellsWhichLogItIsFor() {
    Seal seal = new Seal(3, "a", -5);
    assertEquals(seal, read(Codecs::writeSeal, Codecs::readSeal, seal, 0));
    assertEquals(new Seal(3, "a"), read(Codecs::writeSeal, Codecs::readSeal, seal, LONG));
  }

  @Test
  void anAnswerTellsOfLogAndDoubt() {
    Sealed sealed = new Sealed(true, LAST, 9L << 32, -5, true, true);
    assertEquals(sealed, read(Codecs::writeSealed, Codecs::readSealed, sealed, 0));
    assertEquals(
        new Sealed(true, LAST, 9L << 32),
        read(Codecs::writeSealed, Codecs::readSealed, sealed, LONG + 2));
    assertEquals(
        new Sealed(true, LAST),
        read(Codecs::writeSealed, Codecs::readSealed, sealed, 2 * LONG + 2));
  }

  @Test
  void whoBeginsAnEpochTellsWhichLogItIsIn() {
    Begun begun = new Begun(3, 9L << 32, "a", 7L << 32, -5);
    assertEquals(begun, read(Codecs::writeBegun, Codecs::readBegun, begun, 0));
    assertEquals(
        new Begun(3, 9L << 32, "a", 7L << 32),
        read(Codecs::writeBegun, Codecs::readBegun, begun, LONG));
    assertEquals(
        new Begun(3, 9L << 32, "a"), read(Codecs::writeBegun, Codecs::readBegun, begun, 2 * LONG));
  }
}
