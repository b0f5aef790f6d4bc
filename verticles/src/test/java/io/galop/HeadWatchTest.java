package io.galop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.socket.SmallReads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where heads begin and end, however they are cut. */
class HeadWatchTest {
  private final List<String> told = new ArrayList<>();
  private final StringBuilder answer = new StringBuilder();

  /** Its answers have not left yet, so what is read with them comes, too. */
  private final class Unsent extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      answer.append(((ByteBuf) message).toString(US_ASCII));
      left = promise;
    }
  }

  private ChannelPromise left;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new Unsent(),
          new SmallReads(),
          new HeadWatch(() -> told.add("begins"), () -> told.add("ends")));

  private void read(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  private String passedOn() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf next = channel.readInbound(); next != null; next = channel.readInbound()) {
      all.append(next.toString(US_ASCII));
      next.release();
    }
    return all.toString();
  }

  /** A decoder that is given what is behind would join it to what was before. */
  @ParameterizedTest
  @ValueSource(ints = {100, 4_090, 4_093, 4_094, 4_095, 4_096, 5_000, 9_000})
  void nothingBehindAFoldIsPassedOn(int before) {
    String start = "POST / HTTP/1.1\r\nX: ";
    String head = start + "a".repeat(before - start.length()) + "\r\n folded\r\nContent-Length: 5";
    read(head + "\r\n\r\nbody" + "b".repeat(10_000));
    read("POST / HTTP/1.1\r\n\r\n");
    assertTrue(answer.toString().startsWith("HTTP/1.1 400 "));
    assertEquals(1, answer.toString().split("HTTP/1.1 ").length - 1);
    left.setSuccess();
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
    String passed = passedOn();
    assertTrue(head.startsWith(passed) && passed.length() <= before + 2, passed);
  }

  /** The decoder waits for the end of the line, too. */
  @Test
  void aHeadIsWholeWithItsLastLineAndNotBefore() {
    for (char next : "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r".toCharArray()) {
      read(String.valueOf(next));
      assertEquals(List.of("begins"), told);
    }
    read("\n");
    assertEquals(List.of("begins", "ends"), told);
    assertEquals("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", passedOn());
    assertEquals("", answer.toString());
  }

  @Test
  void linesMayEndWithoutACarriageReturn() {
    read("GET / HTTP/1.1\nHost: x\n\n");
    assertEquals(List.of("begins", "ends"), told);
  }

  @Test
  void aLineOfTwoCarriageReturnsIsNoEnd() {
    read("GET / HTTP/1.1\r\n\r\r\n");
    assertEquals(List.of("begins"), told);
  }

  @Test
  void emptyLinesAreNoHead() {
    read("\r\n\r\n\r\n");
    read("\r\n\r\n");
    assertEquals(List.of("begins"), told);
  }

  /** Its request may wait behind an answer; what comes may be its body. */
  @Test
  void whatComesBehindAHeadIsNoneUntilTheRequestIsThere() {
    String all = "POST / HTTP/1.1\r\nContent-Length: 30000\r\n\r\n" + "{\n  1\n}\n".repeat(3_000);
    read(all);
    assertEquals(all, passedOn());
    assertEquals(List.of("begins", "ends"), told);
  }
}
