package io.galop.ingest;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorBrick;
import io.galop.ingest.intake.Intake;
import io.galop.node.Node;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The doors of add-ons that are on the class path. */
final class DoorBricks {
  private DoorBricks() {}

  private static List<DoorBrick> found() {
    return ServiceLoader.load(DoorBrick.class, DoorBrick.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** Those of one event loop. */
  static List<Door> doors(Vertx vertx, Node node, Intake intake, int index, int of) {
    return found().stream()
        .flatMap(brick -> brick.of(vertx, node, intake, index, of).stream())
        .toList();
  }

  /** What is wrong with them, each a sentence that begins with a dotted path; blocks. */
  static List<String> problems(IngestConfig config) {
    List<String> problems = new ArrayList<>();
    List<DoorBrick> found = found();
    boolean isKafkaMissing = found.stream().noneMatch(brick -> brick.word().equals("kafka"));
    if (!config.kafka().sources().isEmpty() && isKafkaMissing) {
      problems.add(
          "ingest.kafka: the add-on kafka is not there: run './galop add kafka', or put"
              + " galop-kafka.jar into the directory lib beside galop.jar");
    }
    found.forEach(brick -> problems.addAll(brick.problems(config)));
    return problems;
  }
}
