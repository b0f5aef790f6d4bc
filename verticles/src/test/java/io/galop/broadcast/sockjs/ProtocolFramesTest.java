package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.sockjs.FrameCases.Case;
import io.galop.broadcast.sockjs.RawFrames.Said;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What RFC 6455 says of frames, on a raw websocket that says again what it is told. */
@Tag("slow")
class ProtocolFramesTest extends ProtocolFixture {
  private static final byte[] AFTER = FrameCases.utf8("are you there?");

  @ParameterizedTest
  @EnumSource(FrameCases.class)
  void takesWhatIsGoodAndRefusesWhatIsNot(FrameCases kind) throws IOException {
    for (Case each : kind.all()) {
      try (RawFrames socket = new RawFrames(port, "/echo/websocket")) {
        for (byte[] part : each.writes()) {
          socket.write(part);
        }
        for (Said expected : each.said()) {
          assertSaid(each.name(), expected, socket.read());
        }
        assertEndsOrGoesOn(each, socket);
      } catch (IOException e) {
        throw new IOException(each.name(), e);
      }
    }
  }

  private static void assertEndsOrGoesOn(Case each, RawFrames socket) throws IOException {
    if (each.isOver()) {
      Said closing = socket.read();
      assertTrue(closing.isClosing(), () -> each.name() + ": " + closing);
      assertEquals(each.code(), closing.code(), each.name());
      socket.write(FrameCases.frame(RawFrames.LAST | RawFrames.CLOSE, new byte[0]));
      assertTrue(socket.isAtEnd(), each.name());
    } else {
      socket.write(FrameCases.frame(RawFrames.LAST | RawFrames.TEXT, AFTER));
      Said after = new Said(RawFrames.LAST | RawFrames.TEXT, AFTER);
      assertSaid(each.name(), after, socket.read());
    }
  }

  private static void assertSaid(String name, Said expected, Said said) {
    assertEquals(expected.flags(), said.flags(), () -> name + ": " + said.text());
    assertArrayEquals(expected.payload(), said.payload(), name);
  }

  /** Whoever broke a rule and agrees to nothing does not stay. */
  @Test
  void whoBreaksARuleAndStaysIsCutOff() throws IOException {
    try (RawFrames socket = new RawFrames(port, "/echo/websocket")) {
      socket.write(FrameCases.bytes("81ff800000000000000100000000"));
      assertEquals(1002, socket.read().code());
      assertTrue(socket.isAtEnd());
    }
  }

  /** SockJS itself has text only. */
  @Test
  void aBinaryMessageEndsASockJsWebsocket() throws IOException {
    try (RawFrames socket = new RawFrames(port, session("/echo") + "/websocket")) {
      assertEquals("o", socket.read().text());
      socket.write(FrameCases.frame(RawFrames.LAST | RawFrames.BINARY, FrameCases.utf8("[]")));
      assertEquals(1003, socket.read().code());
    }
  }
}
