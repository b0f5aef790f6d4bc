package io.galop.loadtest.client;

import io.galop.loadtest.latency.Gap;
import io.galop.loadtest.latency.Seen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What was seen, as one line: four numbers and the histogram in its own compressed form. */
final class SeenText {
  private SeenText() {}

  static String of(Seen seen) {
    Histogram latencies = seen.latencies();
    ByteBuffer packed = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    int length = latencies.encodeIntoCompressedByteBuffer(packed);
    return "%d %d %d %d %d %d %s"
        .formatted(
            seen.received(),
            seen.duplicates(),
            seen.missing(),
            seen.lostViewers(),
            seen.gap().first(),
            seen.gap().last(),
            Base64.getEncoder().encodeToString(Arrays.copyOf(packed.array(), length)));
  }

  static Seen parse(String line) throws IOException {
    String[] words = line.split(" ");
    try {
      ByteBuffer packed = ByteBuffer.wrap(Base64.getDecoder().decode(words[6]));
      return new Seen(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          new Gap(Long.parseLong(words[4]), Long.parseLong(words[5])),
          Histogram.decodeFromCompressedByteBuffer(packed, 0));
    } catch (DataFormatException | RuntimeException e) {
      throw new IOException("a process of viewers said: " + line, e);
    }
  }
}
