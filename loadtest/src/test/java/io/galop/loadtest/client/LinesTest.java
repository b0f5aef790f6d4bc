package io.galop.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinesTest {
  @Test
  void linesAreWholeHoweverTheyCome() {
    byte[] body = "h\na[\"one\"]\na[\"two\"]\n\nc".getBytes(StandardCharsets.US_ASCII);
    for (int size = 1; size <= body.length; size++) {
      List<String> read = new ArrayList<>();
      Lines lines =
          new Lines(
              (in, start, length) ->
                  read.add(in.toString(start, length, StandardCharsets.US_ASCII)));
      for (int at = 0; at < body.length; at += size) {
        ByteBuf piece = Unpooled.wrappedBuffer(body, at, Math.min(size, body.length - at));
        lines.read(piece, piece.readableBytes());
      }
      assertEquals(List.of("h", "a[\"one\"]", "a[\"two\"]", ""), read, "pieces of " + size);
      lines.release();
    }
  }
}
