package io.galop.servers;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** A broker of Kafka as a process of its own, on a free port, its data in a scratch directory. */
public final class KafkaServer implements AutoCloseable {
  private static final int SECONDS = 120;
  private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAQ";

  private final Path directory;
  private final Path settings;
  private final int port = Ports.free();
  private Child child;

  /** Starts one and waits until it answers. */
  public KafkaServer() throws IOException {
    this("");
  }

  /** The same with more lines of settings. */
  public KafkaServer(String more) throws IOException {
    directory = Scratch.directory("galop-kafka");
    settings =
        Files.writeString(directory.resolve("server.properties"), settings(Ports.free()) + more);
    List<String> format =
        List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", "" + settings);
    List<String> alone = new ArrayList<>(java(format));
    alone.add("--standalone");
    Child.run(alone, directory.resolve("format.out"), SECONDS);
    child = begin();
    awaitAnswer();
  }

  private String settings(int controller) {
    return """
    process.roles=broker,controller
    node.id=1
    controller.quorum.bootstrap.servers=127.0.0.1:%2$d
    listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
    controller.listener.names=CONTROLLER
    listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    log.dirs=%3$s
    offsets.topic.replication.factor=1
    offsets.topic.num.partitions=2
    transaction.state.log.replication.factor=1
    transaction.state.log.min.isr=1
    transaction.state.log.num.partitions=2
    group.initial.rebalance.delay.ms=0
    """
        .formatted(port, controller, directory.resolve("data"));
  }

  /** The jars that the build has put aside: they must not meet those of Galop. */
  private static List<String> java(List<String> program) {
    Path jars =
        Path.of(System.getProperty("galop.kafka.jars", "target/kafka-server")).toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx384m", "-cp", jars + File.separator + "*"));
    command.addAll(program);
    return command;
  }

  private Child begin() throws IOException {
    return new Child(
        java(List.of("kafka.Kafka", settings.toString())), directory.resolve("server.out"));
  }

  private void awaitAnswer() {
    if (!child.awaitAnswer(SECONDS, this::isUp)) {
      throw new AssertionError(
          "Kafka did not start: "
              + child.lastFailure()
              + "\n"
              + Child.tail(directory.resolve("server.out")));
    }
  }

  private boolean isUp() throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            address(),
            "request.timeout.ms",
            2000,
            "default.api.timeout.ms",
            3000);
    try (Admin admin = Admin.create(settings)) {
      return !admin.describeCluster().nodes().get(4, TimeUnit.SECONDS).isEmpty();
    }
  }

  /** {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** {@code kill -9}, and a start on the same data. */
  public void killAndStart() throws IOException {
    child.kill();
    child = begin();
    awaitAnswer();
  }

  /** {@code kill -9}, half of what a partition has is lost, and a start. */
  public void killCutOffAndStart(String partition) throws IOException {
    child.kill();
    Path segment = directory.resolve("data").resolve(partition).resolve("00000000000000000000.log");
    try (FileChannel log = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      log.truncate(log.size() / 2);
    }
    child = begin();
    awaitAnswer();
  }

  /** It stands still, and its sockets stay open. */
  public void freeze() {
    child.freeze();
  }

  public void thaw() {
    child.thaw();
  }

  @Override
  public void close() {
    child.thaw();
    child.kill();
    Scratch.delete(directory);
  }
}
