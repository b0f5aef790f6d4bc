package io.galop.broadcast.deflate;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;

/** Compression for tests of other packages. */
public final class TestDeflate {
  private TestDeflate() {}

  /** What an event loop has; to be closed. */
  public static LoopDeflate open() {
    return LoopDeflate.shared(new SimpleMeterRegistry());
  }

  /** A message as a client sends it. */
  public static byte[] compressed(byte[] message) {
    Deflater deflater = new Deflater(9, true);
    byte[] all = new byte[message.length + 64];
    deflater.setInput(message);
    int count = deflater.deflate(all, 0, all.length, Deflater.SYNC_FLUSH);
    deflater.end();
    return Arrays.copyOf(all, count - 4);
  }

  /** What a client reads that was sent this. */
  public static String text(byte[] compressed) throws DataFormatException {
    MessageInflater inflater = new MessageInflater();
    byte[] message = Objects.requireNonNull(inflater.inflated(compressed, Integer.MAX_VALUE));
    inflater.end();
    return new String(message, StandardCharsets.UTF_8);
  }

  /** One of any level, with time for everything. */
  public static FrameDeflater deflater(int level) {
    return new FrameDeflater(new DeflateMeters(new SimpleMeterRegistry()), level, () -> 0);
  }
}
