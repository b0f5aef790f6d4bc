package io.galop.e2e;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.galop.ring.RingPublisher;
import io.galop.servers.Scratch;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The whole way in, as fast as it goes: 290 bytes of data, 1,000 topics, a look-up and a
 * calculation in Java, {@code ack: disk}, one live viewer; over the ring and the tcp door in turns,
 * on one node that it starts. Prints acknowledged records/s and what each record cost the node.
 *
 * <pre>{@code
 * cd verticles && java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
 *   -cp target/test-classes:target/classes:$(cat target/classpath) \
 *   io.galop.e2e.DoorSpeed 1000000 5
 * }</pre>
 */
public final class DoorSpeed {
  private static final int TOPICS = 1000;
  private static final int BYTES = 290;
  private static final int BATCH = 100;

  private DoorSpeed() {}

  /** Sends so many records, and returns when all are acknowledged. */
  private interface Way {
    void send(int records) throws Exception;
  }

  /** Arguments: records a round, rounds. */
  public static void main(String[] args) throws Exception {
    int records = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    Path directory = Scratch.directory("doorspeed");
    Path ringFile = Scratch.directory(Path.of("/dev/shm"), "galop").resolve("speed.ring");
    try (GalopProcess node = node(directory, ringFile);
        RingPublisher ring = RingPublisher.open(ringFile);
        Socket tcp = socket(node.address("tcp"))) {
      Watching viewer = new Watching(node.http("/live/websocket"));
      Protobuf protobuf = new Protobuf(tcp);
      for (int round = 0; round < rounds; round++) {
        measure("ring", node, viewer, records, count -> overRing(ring, count));
        measure("tcp", node, viewer, records, protobuf::send);
      }
    }
  }

  private static GalopProcess node(Path directory, Path ring) throws IOException {
    StringBuilder table = new StringBuilder("runner,name\n");
    for (int runner = 0; runner < TOPICS; runner++) {
      table.append(runner).append(",Horse ").append(runner).append('\n');
    }
    Path file = Files.writeString(directory.resolve("runners.csv"), table);
    String chain =
        "enrich.chain=[{lookup: {table: '%s', field: runner}}, {calculate: {field: odds}}]";
    return GalopProcess.run(
        directory.resolve("data"),
        List.of("-Xmx2g"),
        List.of(
            "--set",
            "ingest.ring.paths=[" + ring + "]",
            "--set",
            chain.formatted(file),
            "--set",
            "persist.cold.enabled=false"));
  }

  private static Socket socket(String address) throws IOException {
    String[] parts = address.split(":");
    return new Socket(parts[0], Integer.parseInt(parts[1]));
  }

  /** A viewer that comes back when it is sent away for being slow. */
  private static final class Watching implements WebSocket.Listener {
    private final URI uri;
    private final AtomicLong chars = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    private Watching(URI live) {
      uri = URI.create(live.toString().replaceFirst("http", "ws"));
      connect();
    }

    private void connect() {
      connections.incrementAndGet();
      HttpClient.newHttpClient()
          .newWebSocketBuilder()
          .buildAsync(uri, this)
          .thenCompose(
              socket -> socket.sendText("{\"type\":\"register\",\"address\":\"speed/#\"}", true))
          .exceptionally(failure -> null);
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      chars.addAndGet(data.length());
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      connect();
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      connect();
    }
  }

  private static void measure(String door, GalopProcess node, Watching viewer, int records, Way way)
      throws Exception {
    long cpu = cpuTicks(node.pid());
    long chars = viewer.chars.get();
    long start = System.nanoTime();
    way.send(records);
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuUs = (cpuTicks(node.pid()) - cpu) * 10_000.0 / records;
    System.out.printf(
        "%-4s %,d records in %.2f s: %,.0f/s acknowledged, %.2f µs of the node's CPU each, viewer"
            + " %,d KB on connection %d%n",
        door,
        records,
        seconds,
        records / seconds,
        cpuUs,
        (viewer.chars.get() - chars) / 1024,
        viewer.connections.get());
  }

  /** Time in user mode and in the kernel, in hundredths of a second. */
  private static long cpuTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  private static byte[] topic(int record) {
    return ("speed/" + record % TOPICS).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] data(int record) {
    String head =
        "{\"runner\":%d,\"odds\":%d.5,\"seq\":%d,\"pad\":\""
            .formatted(record % TOPICS, 1 + record % 20, record);
    return (head + "x".repeat(BYTES - head.length() - 2) + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  private static void overRing(RingPublisher ring, int records) throws InterruptedException {
    byte[] noId = {};
    for (int record = 0; record < records; record++) {
      while (!ring.offer(topic(record), noId, RingPublisher.NO_TIME, data(record))) {
        Thread.sleep(1);
      }
    }
    while (ring.settled() < ring.offered()) {
      Thread.sleep(1);
    }
    if (ring.poll((number, reason, detail) -> System.out.println(reason + detail), 1) > 0) {
      throw new IllegalStateException("a record was rejected");
    }
  }

  /** The tcp door's Batches, with a thread that reads how far they are acknowledged. */
  private static final class Protobuf {
    private final BufferedOutputStream out;
    private final AtomicLong acked = new AtomicLong();
    private long sent;

    private Protobuf(Socket socket) throws IOException {
      out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      CodedInputStream in = CodedInputStream.newInstance(socket.getInputStream());
      Thread reader = new Thread(() -> follow(in));
      reader.setDaemon(true);
      reader.start();
    }

    private void follow(CodedInputStream in) {
      try {
        while (true) {
          int limit = in.pushLimit(in.readRawVarint32());
          for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == 1 << 3) {
              acked.set(in.readUInt64());
            } else {
              throw new IOException("rejected: " + in.readString());
            }
          }
          in.popLimit(limit);
          in.resetSizeCounter();
        }
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }

    private void send(int records) throws Exception {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int from = 0; from < records; from += BATCH) {
        bytes.reset();
        CodedOutputStream batch = CodedOutputStream.newInstance(bytes);
        for (int record = from; record < Math.min(from + BATCH, records); record++) {
          write(batch, topic(record), data(record));
          sent++;
        }
        batch.flush();
        CodedOutputStream head = CodedOutputStream.newInstance(out, 16);
        head.writeUInt32NoTag(bytes.size());
        head.flush();
        bytes.writeTo(out);
      }
      out.flush();
      while (acked.get() < sent) {
        Thread.sleep(1);
      }
    }

    private static void write(CodedOutputStream batch, byte[] topic, byte[] data)
        throws IOException {
      int size =
          CodedOutputStream.computeByteArraySize(1, topic)
              + CodedOutputStream.computeByteArraySize(2, data);
      batch.writeTag(3, 2);
      batch.writeUInt32NoTag(size);
      batch.writeByteArray(1, topic);
      batch.writeByteArray(2, data);
    }
  }
}
