package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.latency.Stamp;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/** One raw websocket (RFC 6455) that reads what comes on a topic, on a thread of its own. */
final class Watcher implements AutoCloseable {
  private static final int TEXT = 0x81;
  private static final int MASKED = 0x80;
  private static final int SHORT_LENGTH = 126;
  private static final int LONG_LENGTH = 127;

  private final LineSocket socket;
  private final Thread reader = new Thread(this::read, "watcher");
  private final Histogram latencies = Latencies.histogram();
  private long count;

  private Watcher(LineSocket socket) {
    this.socket = socket;
  }

  /** Connects and registers; returns when the node knows. */
  static Watcher of(InetSocketAddress http, String topic) throws IOException {
    Watcher watcher = new Watcher(new LineSocket(http));
    watcher.handshake(http);
    watcher.send("{\"type\":\"register\",\"address\":\"" + topic + "\"}");
    watcher.send("{\"type\":\"ping\"}");
    watcher.readFrame(); // the answer to the ping: all before it has been dealt with
    watcher.reader.setDaemon(true);
    watcher.reader.start();
    return watcher;
  }

  private void handshake(InetSocketAddress http) throws IOException {
    socket.write(
        "GET /live/websocket HTTP/1.1\r\nHost: "
            + http.getHostString()
            + ":"
            + http.getPort()
            + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    String status = socket.readLine();
    if (!status.contains(" 101 ")) {
      throw new IOException("no websocket: " + status);
    }
    while (!socket.readLine().isEmpty()) {
      // a header
    }
  }

  /** Masked with zeros, which leaves the text as it is. */
  private void send(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] frame = new byte[6 + bytes.length];
    frame[0] = (byte) TEXT;
    frame[1] = (byte) (MASKED | bytes.length);
    System.arraycopy(bytes, 0, frame, 6, bytes.length);
    socket.write(frame);
  }

  private byte[] readFrame() throws IOException {
    socket.read();
    int length = socket.read();
    if (length == SHORT_LENGTH) {
      length = socket.read() << 8 | socket.read();
    } else if (length == LONG_LENGTH) {
      length = Buffer.buffer(socket.read(8)).getInt(4);
    }
    return socket.read(length);
  }

  private void read() {
    try {
      while (true) {
        byte[] frame = readFrame();
        long now = System.nanoTime();
        Stamp.scan(Buffer.buffer(frame), (number, sentNanos) -> saw(now - sentNanos));
      }
    } catch (IOException ended) {
      // by close, or what is missing is told by the count
    }
  }

  private synchronized void saw(long nanos) {
    count++;
    Latencies.record(latencies, nanos);
  }

  /** How many records were seen. */
  synchronized long count() {
    return count;
  }

  /** How long they took, in nanoseconds. */
  synchronized Histogram latencies() {
    return latencies.copy();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    socket.close();
    reader.join();
  }
}
