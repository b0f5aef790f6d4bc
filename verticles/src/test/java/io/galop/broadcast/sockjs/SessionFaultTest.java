package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.sockjs.testserver.OpenService;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a request and cannot be written ends its session: nothing follows on it. */
@Timeout(180)
class SessionFaultTest {
  private static final Frame[] NONE = {};
  private static final String INTERRUPTED = "c[1002,\"Connection interrupted\"]\n";

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private ServedSessions served;
  private RawHttp http;

  @BeforeEach
  void start() throws Exception {
    served = ServedSessions.of(new Echo(), 5_000);
    http = new RawHttp(served.port());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    served.close();
  }

  /** Says again what it is told; what begins with an exclamation mark cannot be encoded. */
  private final class Echo extends OpenService {
    @Override
    public Connection connected(Transport transport, String viewer) {
      return new Connection() {
        @Override
        public void onMessage(Buffer message) {
          String word = message.toString();
          Frame[] frames = word.startsWith("!") ? NONE : new Frame[] {Frame.ofControl(word)};
          transport.write(new Large(frames), (s, r, isSent) -> calls.add(word + " " + isSent));
        }

        @Override
        public void onMessageTooLarge() {}

        @Override
        public void onClosed() {
          calls.add("closed");
        }
      };
    }
  }

  /** So large that each leaves by itself. */
  private record Large(Frame[] frames) implements Frames {
    @Override
    public int records() {
      return 1;
    }

    @Override
    public int size() {
      return 4096;
    }

    @Override
    public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
      return framing.encode(frames(), allocator);
    }
  }

  private void say(String session, String word) throws Exception {
    assertEquals(204, http.post(session + "/xhr_send", "[\"" + word + "\"]").status());
  }

  @Test
  void aPollIsToldThatWhatWaitedIsLost() throws Exception {
    assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
    say("/x/0/s", "!lost");
    say("/x/0/s", "next");
    assertEquals(INTERRUPTED, http.post("/x/0/s/xhr", "").body());
    assertEquals(List.of("!lost false", "next false", "closed"), calls);
    say("/x/0/s", "later");
    assertEquals(INTERRUPTED, http.post("/x/0/s/xhr", "").body());
    assertEquals(3, calls.size(), "nobody hears it any more");
  }

  @Test
  void soIsAStream() throws Exception {
    assertEquals("o\n", http.post("/x/0/s/xhr", "").body());
    say("/x/0/s", "first");
    say("/x/0/s", "!lost");
    say("/x/0/s", "next");
    http.post("/x/0/s/xhr_streaming", "");
    http.chunk();
    assertEquals("a[\"first\"]\n", http.chunk());
    assertEquals(INTERRUPTED, http.chunk());
    ProtocolFixture.await("end", () -> calls.contains("closed"));
    assertEquals(
        List.of("!lost false", "next false"),
        calls.stream().filter(c -> c.endsWith("false")).toList());
  }
}
