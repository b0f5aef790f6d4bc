package io.galop;

import io.galop.config.GalopConfig;
import io.galop.node.Node;
import io.galop.node.TraceBrick;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Traces that are sent out, by an add-on, where that is configured. */
final class Telemetry implements AutoCloseable {
  private final Optional<TraceBrick.Sender> sender;

  private Telemetry(Optional<TraceBrick.Sender> sender) {
    this.sender = sender;
  }

  private static Optional<TraceBrick> found() {
    return ServiceLoader.load(TraceBrick.class, TraceBrick.class.getClassLoader()).findFirst();
  }

  /** What is missing, as a sentence that begins with a dotted path; blocks. */
  static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    if (config.telemetry().isGiven() && found().isEmpty()) {
      problems.add(
          "telemetry.endpoint: the add-on opentelemetry is not there: run './galop add"
              + " opentelemetry', or put galop-opentelemetry.jar into the directory lib beside"
              + " galop.jar");
    }
    if (config.telemetry().isGiven()) {
      try {
        config.telemetry().readHeaders();
      } catch (IOException e) {
        problems.add(e.getMessage());
      }
    }
    return problems;
  }

  /** Begins to take and send traces, if the configuration says so; before any door is open. */
  static Telemetry start(Node node) {
    Telemetry telemetry =
        new Telemetry(
            node.config().telemetry().isGiven()
                ? found().map(brick -> brick.open(node))
                : Optional.empty());
    telemetry.sender.ifPresent(node.lateness()::traces);
    return telemetry;
  }

  /** Sends what waits; blocks. */
  @Override
  public void close() {
    sender.ifPresent(TraceBrick.Sender::close);
  }
}
