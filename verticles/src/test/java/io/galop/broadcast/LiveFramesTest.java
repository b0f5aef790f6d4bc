package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.sockjs.FrameCases;
import io.galop.broadcast.sockjs.FrameCases.Case;
import io.galop.broadcast.sockjs.RawFrames;
import io.galop.broadcast.sockjs.RawFrames.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What RFC 6455 says of frames, on the live feed's raw websocket, which hears text only. */
@Timeout(180)
class LiveFramesTest extends FeedTest {
  private static final byte[] PING = "{\"type\":\"ping\"}".getBytes(StandardCharsets.UTF_8);
  private static final String PONG = "{\"type\":\"pong\"}";

  @ParameterizedTest
  @EnumSource(FrameCases.class)
  void takesWhatIsGoodAndRefusesWhatIsNot(FrameCases kind) throws Exception {
    start("broadcast.maxMessageBytes=131072");
    for (Case each : kind.all()) {
      try (RawFrames socket = new RawFrames(feed.port(), "/live/websocket")) {
        for (byte[] part : each.writes()) {
          socket.write(part);
        }
        check(each, socket);
      } catch (IOException e) {
        throw new IOException(each.name(), e);
      }
    }
  }

  private static void check(Case each, RawFrames socket) throws IOException {
    for (Said expected : each.said()) {
      if (expected.flags() == (RawFrames.LAST | RawFrames.PONG)) {
        assertArrayEquals(expected.payload(), socket.read().payload(), each.name());
      }
    }
    if (each.isOver() || each.isBinary()) {
      Said said = afterTexts(socket);
      assertEquals(RawFrames.LAST | RawFrames.CLOSE, said.flags(), each.name());
      assertEquals(each.isBinary() ? 1003 : each.code(), said.code(), each.name());
    } else {
      socket.write(FrameCases.frame(RawFrames.LAST | RawFrames.TEXT, PING));
      String answer = socket.read().text();
      while (!answer.equals(PONG)) {
        answer = socket.read().text();
      }
    }
  }

  /** The cases' texts are no JSON, and are answered so. */
  private static Said afterTexts(RawFrames socket) throws IOException {
    Said said = socket.read();
    while (said.flags() == (RawFrames.LAST | RawFrames.TEXT)) {
      said = socket.read();
    }
    return said;
  }
}
