package io.galop.persist.archive;

import io.galop.json.TextBytes;
import io.galop.persist.store.RecordJson;
import io.galop.record.Placed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Records as lines, compressed as a member of a gzip file: members in a row are a file. */
final class GzipMember {
  private static final int LINE_BYTES = 300;
  private static final int BUFFER_BYTES = 16 * 1024;

  private GzipMember() {}

  /**
   * Lines in the form of {@code /history}.
   *
   * @param level of compression, 1 to 9
   */
  static ByteBuffer of(List<Placed> records, int level) throws IOException {
    TextBytes lines = new TextBytes(LINE_BYTES * records.size());
    for (Placed placed : records) {
      RecordJson.append(placed, placed.record().data(), lines);
      lines.add('\n');
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
    try (Compressor gzip = new Compressor(bytes, level)) {
      gzip.write(lines.toBytes());
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  /** The JDK's takes no level. */
  private static final class Compressor extends GZIPOutputStream {
    Compressor(ByteArrayOutputStream to, int level) throws IOException {
      super(to, BUFFER_BYTES);
      def.setLevel(level);
    }
  }
}
