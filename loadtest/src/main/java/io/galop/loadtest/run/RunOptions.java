package io.galop.loadtest.run;

import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.latency.HostPorts;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.site.SiteStart;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.watch.NodeMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code run}. */
public final class RunOptions {
  private static final int TCP = 7_700;
  private static final int MQTT = 1_883;
  private static final int BRIDGE = 7_000;
  private static final int MANAGEMENT = 9_090;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--start", paramLabel = "JAR", description = "Starts nodes of this galop.jar.")
  private @Nullable Path jar;

  @Option(
      names = "--against",
      paramLabel = "URL",
      description = "A running node to measure instead, as in http://127.0.0.1:8080.")
  private @Nullable URI against;

  @Option(
      names = "--ports",
      paramLabel = "tcp,mqtt,bridge,management",
      split = ",",
      description = "The other ports of that node. Default: 7700,1883,7000,9090.")
  private List<Integer> ports = List.of(TCP, MQTT, BRIDGE, MANAGEMENT);

  @Option(
      names = "--java",
      paramLabel = "PATH",
      description = "A JDK's directory or its java, for nodes. Default: the JVM of this process.")
  private @Nullable Path java;

  @Option(
      names = "--jvm-flags",
      paramLabel = "FLAGS",
      description = "Options of the nodes' JVMs besides the scenario's, separated by spaces.")
  private String jvmFlags = "";

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description = "A setting of the started nodes; repeatable.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--shorten",
      paramLabel = "N",
      defaultValue = "1",
      description = "Divides all times of the scenario. Default: ${DEFAULT-VALUE}.")
  private double shorten;

  /** How to start nodes; null if they are not to be started. */
  public @Nullable SiteStart start() {
    if ((jar == null) == (against == null)) {
      throw wrong("either --start JAR or --against URL");
    }
    if (jar == null) {
      return null;
    }
    if (!Files.isRegularFile(jar)) {
      throw wrong("--start " + jar + ": there is no such file; build it first");
    }
    List<String> flags = jvmFlags.isBlank() ? List.of() : List.of(jvmFlags.trim().split("\\s+"));
    return new SiteStart(jar, program(), flags, settings);
  }

  private Path program() {
    if (java == null) {
      return Launch.java();
    }
    Path program = Files.isDirectory(java) ? java.resolve("bin").resolve("java") : java;
    if (!Files.isExecutable(program)) {
      throw wrong("--java " + java + ": neither a JDK's directory nor its java");
    }
    return program;
  }

  /** The node that runs, and has said so; null if nodes are to be started. */
  public @Nullable Site running() throws IOException, InterruptedException {
    if (against == null) {
      return null;
    }
    if (against.getHost() == null || against.getPort() < 0 || ports.size() != 4) {
      throw wrong("--against is a URL with a port, --ports are four");
    }
    InetSocketAddress http = address(against, against.getPort());
    Doors doors =
        new Doors(
            http,
            address(against, ports.get(0)),
            address(against, ports.get(1)),
            address(against, ports.get(2)));
    List<InetSocketAddress> management = List.of(address(against, ports.get(3)));
    if (NodeMetrics.of(management).isEmpty()) {
      throw new IOException(
          "http:/"
              + management.get(0)
              + "/metrics does not answer: does the node run, and is that its management port? It"
              + " is the last of --ports");
    }
    return new Site(doors, List.of(http), management, List.of(), List.of(), List.of());
  }

  private static InetSocketAddress address(URI node, int port) {
    return HostPorts.parse(node.getHost() + ":" + port);
  }

  public double shorten() {
    if (!(shorten >= 1)) {
      throw wrong("--shorten is from 1 on");
    }
    return shorten;
  }

  private ParameterException wrong(String rule) {
    return new ParameterException(spec.commandLine(), rule);
  }
}
