package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.site.Child;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/** NATS JetStream with one stream in a file and an fsync for each message. */
final class JetStream implements DurableServer {
  /** As {@code go install} wants it. */
  static final String MODULE = "github.com/nats-io/nats-server/v2@v2.11.4";

  private static final String SUBJECT = "lone.records";
  private static final String STREAM =
      "{\"name\":\"LONE\",\"subjects\":[\""
          + SUBJECT
          + "\"],\"storage\":\"file\",\"num_replicas\":1,\"retention\":\"limits\",\"max_age\":0}";

  private final Path dir;
  private final Child server;
  private final int port;

  private JetStream(Path dir, Child server, int port) {
    this.dir = dir;
    this.server = server;
    this.port = port;
  }

  /**
   * Starts it and creates the stream.
   *
   * @param program {@code nats-server}
   */
  static JetStream start(Path program) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int port = Launch.freePorts(1)[0];
    Path config = dir.resolve("nats.conf");
    Files.writeString(
        config,
        "listen: 127.0.0.1:%d%njetstream { store_dir: \"%s\", sync_interval: always }%n"
            .formatted(port, dir.resolve("store")));
    Path log = dir.resolve("log");
    Child child = Child.start(List.of(program.toString(), "-c", config.toString()), log);
    child.awaitListening(port, true, log);
    JetStream started = new JetStream(dir, child, port);
    try (Link link = started.connect()) {
      link.publish("$JS.API.STREAM.CREATE.LONE", STREAM);
      link.awaitAcknowledged();
    }
    return started;
  }

  @Override
  public String name() {
    return "JetStream, fsync";
  }

  @Override
  public List<Long> pids() {
    return List.of(server.process().pid());
  }

  @Override
  public Link connect() throws IOException {
    return new Link(new LineSocket(Launch.loopback(port)));
  }

  @Override
  public void close() throws InterruptedException {
    server.close();
    Leavings.delete(dir);
  }

  /** Speaks the text protocol of NATS: what a client's library would cost is not measured. */
  static final class Link implements DurableLink {
    private static final String INBOX = "_INBOX.lone";

    private final LineSocket socket;
    private long acknowledged;

    private Link(LineSocket socket) throws IOException {
      this.socket = socket;
      socket.write("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB " + INBOX + " 1\r\n");
      socket.write("PING\r\n");
      for (String line = socket.readLine(); !line.equals("PONG"); line = socket.readLine()) {
        check(line);
      }
    }

    private static void check(String line) throws IOException {
      if (line.startsWith("-ERR") || line.contains("\"error\"")) {
        throw new IOException("nats-server answered " + line);
      }
    }

    @Override
    public void send(String data) throws IOException {
      publish(SUBJECT, data);
    }

    private void publish(String subject, String data) throws IOException {
      int bytes = data.getBytes(StandardCharsets.UTF_8).length;
      socket.write("PUB " + subject + " " + INBOX + " " + bytes + "\r\n" + data + "\r\n");
    }

    @Override
    public long awaitAcknowledged() throws IOException {
      String line = socket.readLine();
      while (!line.startsWith("MSG ")) {
        check(line);
        if (line.equals("PING")) {
          socket.write("PONG\r\n");
        }
        line = socket.readLine();
      }
      int bytes = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
      check(new String(socket.read(bytes + 2), StandardCharsets.UTF_8));
      return ++acknowledged;
    }

    @Override
    public Histogram seen() {
      return Latencies.histogram();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
