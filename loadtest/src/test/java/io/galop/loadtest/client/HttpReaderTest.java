package io.galop.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpReaderTest implements HttpReader.Sink {
  private final StringBuilder read = new StringBuilder();
  private final HttpReader reader = new HttpReader(this);
  private final ByteBuf in = Unpooled.buffer();

  @Override
  public void onHead(int status) {
    read.append(status).append('<');
  }

  @Override
  public void onBody(ByteBuf body, int length) {
    read.append(body.toString(body.readerIndex(), length, StandardCharsets.US_ASCII));
  }

  @Override
  public void onEnd(boolean keepAlive) {
    read.append(keepAlive ? ">" : ">|");
  }

  private String readByteByByte(String answers) {
    for (byte b : answers.getBytes(StandardCharsets.US_ASCII)) {
      in.writeByte(b);
      reader.read(in);
    }
    return read.toString();
  }

  @Test
  void bodiesByLengthFollowOneAnother() {
    String two = "HTTP/1.1 200 OK\r\nX: y\r\ncontent-length: 3\r\n\r\nab\n".repeat(2);
    assertEquals("200<ab\n>200<ab\n>", readByteByByte(two));
  }

  @Test
  void chunksAreJoinedWhereverTheyAreCut() {
    String chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            + "2\r\no\n\r\n3;x=y\r\nabc\r\n0\r\nTrailer: z\r\n\r\n";
    assertEquals("200<o\nabc>|", readByteByByte(chunked));
  }

  @Test
  void anAnswerWithoutBodyEndsAtItsHead() {
    String none = "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assertEquals("204<>200<>", readByteByByte(none));
  }

  @Test
  void withoutALengthTheBodyLastsAsLongAsTheConnection() {
    assertEquals("200<abc", readByteByByte("HTTP/1.1 200 OK\r\n\r\nabc"));
    assertEquals(true, reader.mayEnd());
  }
}
