package io.galop.ingest.intake;

import io.galop.config.ingest.IngestConfig;
import io.galop.node.Node;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;

/**
 * A kind of door that an add-on brings, found by {@link java.util.ServiceLoader}. Its configuration
 * is Galop's, so that it is checked and documented with the rest.
 */
public interface DoorBrick {
  /** The key of its configuration below {@code ingest}, and the name of its add-on. */
  String word();

  /** That of event loop {@code index} of {@code of}, if any is configured and falls to it. */
  Optional<Door> of(Vertx vertx, Node node, Intake intake, int index, int of);

  /** What is wrong with its files and properties, each a sentence with a dotted path; blocks. */
  List<String> problems(IngestConfig config);
}
