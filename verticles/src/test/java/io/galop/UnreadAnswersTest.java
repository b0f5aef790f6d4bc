package io.galop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that ask and ask on one connection, and read no answer, cost next to nothing. */
@Tag("slow")
@Timeout(180)
class UnreadAnswersTest {
  private static final int CLIENTS = 30;

  /** Without a bound a client of the http port held 1.8 MB, here some 0.1. */
  private static final long MOST_BYTES_EACH = 400_000;

  private static final int STALLED_LOOKS = 20;
  private static final long LOOK_MS = 50;

  @TempDir Path directory;

  /**
   * @param header whose value is {@code websocket}: a word alone makes no websocket
   */
  @ParameterizedTest
  @CsvSource({"http, /none, a", "http, /none, Upgrade", "management, /health/live, a"})
  void theyAreNotAskedFurther(String listener, String path, String header) throws Exception {
    List<String> sets =
        List.of(
            "node.dataDir=" + directory,
            "http.port=0",
            "management.port=0",
            "node.roles=[persist, broadcast]");
    List<SocketChannel> clients = new ArrayList<>();
    try (GalopNode node =
        GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()))) {
      String[] address = node.listeners().get(listener).split(":");
      long before = HeapReading.settledBytes();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(connect(new InetSocketAddress(address[0], Integer.parseInt(address[1]))));
      }
      long sent = askUntilNobodyReads(clients, path, header);
      long held = HeapReading.settledBytes() - before;
      assertTrue(sent > 1_000_000L * CLIENTS, "only so many bytes of requests were sent: " + sent);
      assertTrue(held < MOST_BYTES_EACH * CLIENTS, "the node holds so many bytes: " + held);
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
  }

  private static SocketChannel connect(InetSocketAddress address) throws IOException {
    SocketChannel client = SocketChannel.open();
    client.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    client.connect(address);
    client.configureBlocking(false);
    return client;
  }

  /** Until no socket has taken a byte for a second; how many bytes all have taken. */
  private static long askUntilNobodyReads(List<SocketChannel> clients, String path, String header)
      throws Exception {
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header + ": websocket\r\n\r\n";
    byte[] many = request.repeat(1000).getBytes(US_ASCII);
    List<ByteBuffer> left = new ArrayList<>();
    clients.forEach(client -> left.add(ByteBuffer.allocate(0)));
    long sent = 0;
    for (int stalled = 0; stalled < STALLED_LOOKS; stalled++) {
      for (int i = 0; i < clients.size(); i++) {
        if (!left.get(i).hasRemaining()) {
          left.set(i, ByteBuffer.wrap(many));
        }
        int taken = clients.get(i).write(left.get(i));
        sent += taken;
        stalled = taken > 0 ? 0 : stalled;
      }
      Thread.sleep(LOOK_MS);
    }
    return sent;
  }
}
