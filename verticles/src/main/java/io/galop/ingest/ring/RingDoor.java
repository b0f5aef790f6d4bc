package io.galop.ingest.ring;

import io.galop.config.ingest.RingDoorConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.Intake;
import io.galop.node.Node;
import io.galop.ring.RingReader;
import io.galop.ring.RingSizes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ring door: memory that other processes of this machine put records into. */
public final class RingDoor implements Door {
  private final Vertx vertx;
  private final Node node;
  private final Intake intake;
  private final List<Integer> rings;
  private final List<RingFeed> feeds = new ArrayList<>();

  private RingDoor(Vertx vertx, Node node, Intake intake, List<Integer> rings) {
    this.vertx = vertx;
    this.node = node;
    this.intake = intake;
    this.rings = rings;
  }

  /** That of event loop {@code index} of {@code of}, if any ring falls to it. */
  public static Optional<RingDoor> of(Vertx vertx, Node node, Intake intake, int index, int of) {
    List<Integer> rings = new ArrayList<>();
    for (int ring = index; ring < node.config().ingest().ring().paths().size(); ring += of) {
      rings.add(ring);
    }
    return rings.isEmpty()
        ? Optional.empty()
        : Optional.of(new RingDoor(vertx, node, intake, rings));
  }

  /** What is wrong with the files, each a sentence that begins with a dotted path; blocks. */
  public static List<String> problems(RingDoorConfig config) {
    List<String> problems = new ArrayList<>();
    for (int ring = 0; ring < config.paths().size(); ring++) {
      String path = path(ring);
      sizes(config)
          .wrong(Path.of(config.paths().get(ring)))
          .ifPresent(wrong -> problems.add(path + ": " + wrong));
    }
    return problems;
  }

  private static String path(int ring) {
    return "ingest.ring.paths[" + ring + "]";
  }

  private static RingSizes sizes(RingDoorConfig config) {
    return new RingSizes(config.capacityBytes(), config.maxMessageBytes());
  }

  @Override
  public Future<Void> open() {
    return Future.join(rings.stream().map(this::open).toList()).mapEmpty();
  }

  private Future<Void> open(int ring) {
    RingDoorConfig config = node.config().ingest().ring();
    Path file = Path.of(config.paths().get(ring));
    return vertx
        .executeBlocking(() -> open(file, config, ring))
        .onSuccess(
            reader -> {
              RingFeed feed = new RingFeed(file, reader, node, intake);
              feeds.add(feed);
              feed.start();
            })
        .mapEmpty();
  }

  private static RingReader open(Path file, RingDoorConfig config, int ring) {
    try {
      return RingReader.open(file, sizes(config));
    } catch (IOException e) {
      throw new IllegalStateException(path(ring) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Future<Void> close() {
    return Future.join(feeds.stream().map(RingFeed::stop).toList()).mapEmpty();
  }
}
