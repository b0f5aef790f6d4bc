package io.galop.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.galop.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A real HAProxy with the configuration that is shipped; only its environment is the test's. */
final class Haproxy implements AutoCloseable {
  private static final Path SHIPPED = Path.of("../docker/haproxy.cfg");
  private static final Path SHIPPED_FOR_IE8 = Path.of("../docker/haproxy-ie8.cfg");

  /** Where a node behind it is, {@code host:port} of both. */
  record Node(String http, String management) {}

  private final Path directory;
  private final Certificate certificate;
  private final int port = Ports.free();
  private final int portForIe8 = Ports.free();
  private final int plainPort = Ports.free();
  private final Process process;

  private Haproxy(Path directory, Certificate certificate, List<String> flags, Node one, Node two) {
    this.directory = directory;
    this.certificate = certificate;
    this.process = run(flags, one, two);
  }

  /** Starts it in front of two nodes. */
  static Haproxy before(Path directory, Certificate certificate, Node one, Node two) {
    Haproxy haproxy = new Haproxy(directory, certificate, List.of("-db"), one, two);
    try {
      Await.until("HAProxy listens", 120, haproxy::listens);
      return haproxy;
    } catch (AssertionError e) {
      haproxy.close();
      throw e;
    }
  }

  /** What {@code haproxy -c} says to the shipped files: its exit code and its words. */
  static Cli.Ended check(Path directory, Certificate certificate) throws Exception {
    Node nowhere = new Node("127.0.0.1:1", "127.0.0.1:2");
    Haproxy checked = new Haproxy(directory, certificate, List.of("-c"), nowhere, nowhere);
    String words = new String(checked.process.getInputStream().readAllBytes(), UTF_8);
    return new Cli.Ended(checked.process.waitFor(), words);
  }

  private Process run(List<String> flags, Node one, Node two) {
    List<String> command = new ArrayList<>(List.of("haproxy"));
    command.addAll(flags);
    command.addAll(List.of("-f", SHIPPED.toString(), "-f", SHIPPED_FOR_IE8.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    if (!flags.contains("-c")) {
      builder.redirectOutput(directory.resolve("haproxy.log").toFile());
    }
    builder.environment().putAll(environment(one, two));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("haproxy is needed; the test command installs it", e);
    }
  }

  private Map<String, String> environment(Node one, Node two) {
    Map<String, String> all = new TreeMap<>();
    all.put("GALOP_BIND", "127.0.0.1:" + port);
    all.put("GALOP_BIND_PLAIN", "127.0.0.1:" + plainPort);
    all.put("GALOP_BIND_IE8", "127.0.0.1:" + portForIe8);
    all.put("GALOP_CERTIFICATES", certificate.directory().toString());
    all.put("GALOP_CERTIFICATE_IE8", certificate.directory().resolve("localhost.pem").toString());
    all.put("GALOP_HAPROXY_SOCKET", socket().toString());
    all.put("GALOP_HAPROXY_METRICS", "127.0.0.1:" + Ports.free());
    all.put("GALOP_MAX_CONNECTIONS", "2000");
    all.put("GALOP_NODE_1", one.http());
    all.put("GALOP_NODE_1_HEALTH", one.management());
    all.put("GALOP_NODE_2", two.http());
    all.put("GALOP_NODE_2_HEALTH", two.management());
    return all;
  }

  private Path socket() {
    return directory.resolve("haproxy.sock");
  }

  private boolean listens() throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("haproxy ended with " + process.exitValue());
    }
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected() && Files.exists(socket());
    }
  }

  int port() {
    return port;
  }

  int portForIe8() {
    return portForIe8;
  }

  int plainPort() {
    return plainPort;
  }

  String live() {
    return "https://localhost:" + port + "/live";
  }

  /**
   * The status of its answer to a request for a path, which is sent as it is.
   *
   * @throws AssertionError if there is none, with what curl, the balancer and the kernel say
   */
  int ask(String path) {
    List<String> curl =
        List.of(
            "curl", "-skS", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", "-m", "20");
    List<String> command = new ArrayList<>(curl);
    command.add("https://localhost:" + port + path);
    String words = output(command);
    if (!words.matches("[1-5]\\d\\d")) {
      throw new AssertionError(path + ": " + words + trace());
    }
    return Integer.parseInt(words);
  }

  /** What it logged, and who listens: for the message of a test that fails. */
  String trace() {
    String log;
    try {
      log = Files.readString(directory.resolve("haproxy.log"));
    } catch (IOException e) {
      log = e.toString();
    }
    return "\n" + log + output(List.of("ss", "-ltnp"));
  }

  private static String output(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(command.get(0) + " is needed; ./test installs it", e);
    }
  }

  /** Tells it something at its administrators' socket; the answer. */
  String tell(String words) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket()));
      channel.write(ByteBuffer.wrap((words + "\n").getBytes(UTF_8)));
      return new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number or word of its statistics, such as {@code hrsp_5xx} of {@code sessions/BACKEND}. */
  String figure(String backend, String server, String field) {
    List<String> lines = tell("show stat").lines().toList();
    List<String> names = List.of(lines.get(0).replace("# ", "").split(",", -1));
    return lines.stream()
        .filter(line -> line.startsWith(backend + "," + server + ","))
        .map(line -> line.split(",", -1)[names.indexOf(field)])
        .findFirst()
        .orElseThrow();
  }

  /**
   * What it takes a node for: {@code UP}, {@code NOLB} (no new viewers), {@code DRAIN}, {@code
   * DOWN}.
   */
  String status(String node) {
    return figure("websockets", node, "status").split(" ")[0];
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
