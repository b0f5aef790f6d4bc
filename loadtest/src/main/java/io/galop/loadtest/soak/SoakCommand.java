package io.galop.loadtest.soak;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.client.ViewerTransport;
import io.galop.loadtest.latency.HostPorts;
import io.galop.loadtest.latency.Load;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.targets.Balancer;
import io.galop.loadtest.targets.GalopLaunch;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Started;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A steady load for a long time, through whatever stands before the nodes. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Lets viewers watch a URL for minutes over kept-alive connections.",
      "Publishes at a tcp door, and counts every error and every missing message."
    },
    footer = {
      "",
      "An error is a status other than 200, a connection that fails or ends within an answer, or a",
      "session that the server closes. Exit code 1 if there was one."
    })
public final class SoakCommand implements Callable<Integer> {
  private static final int NODES = 2;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--against",
      paramLabel = "URL",
      description = "The endpoint, as in https://127.0.0.1:8443/live; no certificate is checked.")
  private @Nullable String against;

  @Option(names = "--tcp", paramLabel = "host:port", description = "The tcp door of a node.")
  private @Nullable String tcp;

  @Option(
      names = "--start",
      paramLabel = "JAR",
      description =
          "Instead of --against: start two nodes of this jar, and HAProxy in front of them.")
  private @Nullable Path start;

  @Option(
      names = "--haproxy",
      paramLabel = "FILE",
      description = "HAProxy's configuration, docker/haproxy.cfg. Needs haproxy and openssl.")
  private @Nullable Path haproxy;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--transport",
      defaultValue = "xhr-polling",
      description = "The viewers' transport: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private ViewerTransport transport;

  @Option(
      names = "--connections",
      defaultValue = "100",
      description = "Viewers. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(names = "--rate", defaultValue = "5", description = "Messages a second. Default: 5.")
  private double rate;

  @Option(
      names = "--bytes",
      defaultValue = "290",
      description = "Bytes of a message's data. Default: ${DEFAULT-VALUE}.")
  private int bytes;

  @Option(
      names = "--minutes",
      defaultValue = "10",
      description = "Duration. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    if (against != null && tcp != null) {
      return soak(parsed(Endpoint::parse, against), parsed(HostPorts::parse, tcp));
    }
    Path jar = Objects.requireNonNull(start, "checked with --against");
    Path balancing = Objects.requireNonNull(haproxy, "checked with --start");
    GalopLaunch galop = new GalopLaunch(jar, Launch.java(), List.of(), List.of(), NODES);
    try (Started nodes = galop.start();
        Balancer balancer = Balancer.before(nodes, balancing)) {
      Endpoint endpoint = new Endpoint(balancer.address(), true, "/live");
      return soak(endpoint, nodes.target().tcp());
    }
  }

  private void check() {
    require(
        connections >= 1 && rate > 0 && minutes > 0 && bytes >= 60,
        "--connections, --rate and --minutes are above 0, --bytes is from 60 on");
    require(
        (against == null) == (tcp == null)
            && (start == null) == (haproxy == null)
            && (against == null) != (start == null),
        "give --against and --tcp, or --start and --haproxy");
    for (Path file : Stream.of(start, haproxy).filter(Objects::nonNull).toList()) {
      require(Files.isRegularFile(file), file + ": there is no such file");
    }
  }

  private void require(boolean isRight, String rule) {
    if (!isRight) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private <T> T parsed(Function<String, T> reader, String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private int soak(Endpoint endpoint, InetSocketAddress door)
      throws IOException, InterruptedException {
    Load load = new Load(connections, rate, 1, 0, bytes, 1, 0);
    ViewerGroup audience =
        new ViewerGroup(
            List.of(endpoint.address()),
            endpoint.tls(),
            endpoint.base(),
            transport,
            List.of("load/#"),
            0,
            0);
    try (Crowd crowd = new Crowd(audience, connections, bytes);
        OpenLoopPublisher publisher = new OpenLoopPublisher(load, door)) {
      crowd.follow();
      crowd.connect();
      publisher.measureNow();
      return new Soak(crowd, publisher, minutes).run() ? 0 : 1;
    }
  }
}
