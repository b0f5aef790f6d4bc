package io.galop.cli.publish;

import io.galop.cli.CliFailure;
import io.galop.cli.ConfigOptions;
import io.galop.cli.DoorToken;
import io.galop.cli.HostPort;
import io.galop.cli.Terminal;
import io.galop.cli.TlsOptions;
import io.galop.cli.input.LineReader;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop publish}: the bus door from the command line. */
@Command(
    name = "publish",
    mixinStandardHelpOptions = true,
    description = "Publishes JSON objects on a topic and prints how many are acknowledged.",
    footer = {
      "",
      "It reaches a node on this machine through its event-bus bridge, which listens on loopback",
      "only. To publish to a node elsewhere, join its cluster: --cluster with the configuration of",
      "a node; or use the http or tcp door.",
      "",
      "  galop publish plant/pump '{\"bar\":3.2}'",
      "  tail -f pump.ndjson | galop publish plant/pump -",
      "  galop publish plant/pump - --ring /dev/shm/galop.ring < pump.ndjson",
      "  galop publish plant/pump - --cluster --set cluster.members=[10.0.0.1:5701] < pump.ndjson"
    })
public final class PublishCommand implements Callable<Integer> {
  private static final int MAX_LINE_BYTES = 16 * 1024 * 1024;
  private static final String STANDARD_INPUT = "-";

  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic of all records.")
  private String topic;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON|-",
      defaultValue = STANDARD_INPUT,
      description = "The data: a JSON object; '-' or nothing: one per line of standard input.")
  private String data;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--id",
      paramLabel = "ID",
      defaultValue = "",
      description =
          "The record's id; with several lines ':' and the line number follow. Records with the"
              + " same id are stored once. By default the node makes one.")
  private String id;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--bridge",
      paramLabel = "host:port",
      defaultValue = "127.0.0.1:7000",
      converter = HostPort.Converter.class,
      description =
          "The node's event-bus bridge; tls://… if it has TLS. Default: ${DEFAULT-VALUE}.")
  private HostPort bridge;

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final DoorToken token = new DoorToken();

  @Option(
      names = "--cluster",
      description = "Join the cluster of --config, --set and the environment instead.")
  private boolean cluster;

  @Option(
      names = "--ring",
      paramLabel = "FILE",
      description = "Use a ring of ingest.ring.paths on this machine instead.")
  private Optional<Path> ring = Optional.empty();

  @Mixin private final ConfigOptions config = new ConfigOptions();

  @Option(
      names = "--timeout-seconds",
      paramLabel = "S",
      defaultValue = "40",
      description = "How long to wait for an acknowledgement. Default: ${DEFAULT-VALUE}.")
  private long timeoutSeconds;

  @Option(
      names = "--reconnect-seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "With --id: how long to try again a bridge that has gone, and then to send again what it"
              + " did not acknowledge; 0: not at all. Default: ${DEFAULT-VALUE}.")
  private long reconnectSeconds;

  @Option(
      names = "--quota-seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "With --id: how long to wait while a quota lets nothing through, and to send again what it"
              + " refuses; 0: not at all. Default: ${DEFAULT-VALUE}.")
  private long quotaSeconds;

  public PublishCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (DoorClient publisher = open()) {
      Publishing publishing = new Publishing(publisher, new Publishing.Naming(topic, id), console);
      publish(publishing);
      return publishing.isComplete() ? 0 : CliFailure.FAILED;
    }
  }

  private void publish(Publishing publishing) throws InterruptedException {
    Interrupt interrupt = Interrupt.tells(publishing::onInterrupt);
    try {
      if (data.equals(STANDARD_INPUT)) {
        publishing.publish(new LineReader(console.in(), MAX_LINE_BYTES));
      } else {
        publishing.publish(data);
      }
      publishing.tell();
    } finally {
      interrupt.isOver();
    }
  }

  /** What is said when the process is ended from outside. */
  record Interrupt(Thread hook) {
    private static final long LONGEST_WORDS_MS = 1_000;

    static Interrupt tells(Runnable words) {
      Thread hook = new Thread(() -> say(words), "galop-interrupt");
      try {
        Runtime.getRuntime().addShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // It ends before anything was published.
      }
      return new Interrupt(hook);
    }

    /** Where nobody reads what is printed, that waits for ever; the process must not. */
    static void say(Runnable words) {
      Thread teller = new Thread(() -> tell(words), "galop-interrupt-words");
      teller.setDaemon(true);
      teller.start();
      try {
        teller.join(LONGEST_WORDS_MS);
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }

    private static void tell(Runnable words) {
      try {
        words.run();
      } catch (CliFailure nobodyReads) {
        // The process ends anyway.
      }
    }

    void isOver() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // It has nothing to say any more.
      }
    }
  }

  private DoorClient open() throws InterruptedException {
    if (ring.isPresent() && cluster) {
      throw CliFailure.usage("--ring and --cluster are two ways to a node; give one");
    }
    if (ring.isPresent()) {
      return ring(ring.get()); // what a quota refuses stays in it
    }
    DoorClient door = door();
    return id.isEmpty() || quotaSeconds <= 0
        ? door // what comes of a record may be there already, and would be there twice
        : new QuotaPatience(door, quotaSeconds, console);
  }

  private DoorClient door() throws InterruptedException {
    if (cluster) {
      return new ClusterPublisher(config.load(Map.of()), timeoutSeconds);
    }
    SteadyBridge.Way way = () -> new BridgePublisher(bridge, tls, token.text(), timeoutSeconds);
    try {
      return id.isEmpty() || reconnectSeconds <= 0
          ? way.open() // sent twice, records without ids would be there twice
          : new SteadyBridge(way, reconnectSeconds, console);
    } catch (IOException e) {
      throw CliFailure.failed(
          "no event-bus bridge at %s: %s; is a node running there?"
              .formatted(bridge, e.getMessage()));
    }
  }

  private DoorClient ring(Path file) {
    try {
      return new RingLines(file, timeoutSeconds);
    } catch (IOException e) {
      throw CliFailure.failed(ErrorText.of(e));
    }
  }
}
