package io.galop.ingest.poll;

import io.galop.config.ingest.PollDoorConfig;
import io.galop.config.ingest.PollHeaderConfig;
import io.galop.config.ingest.PollSourceConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.Intake;
import io.galop.node.Node;
import io.galop.presence.PresenceWatch;
import io.galop.store.Trust;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The poll door: other systems that are asked, of whose answers only changes become records. */
public final class PollDoor implements Door {
  private final List<PolledSource> sources;
  private final PresenceWatch watch;

  private PollDoor(List<PolledSource> sources, PresenceWatch watch) {
    this.sources = sources;
    this.watch = watch;
  }

  /** That of event loop {@code index} of {@code of}, if any source falls to it. */
  public static Optional<PollDoor> of(Vertx vertx, Node node, Intake intake, int index, int of) {
    List<PollSourceConfig> all = node.config().ingest().poll().sources();
    List<PolledSource> sources = new ArrayList<>();
    PresenceWatch watch = new PresenceWatch(node, 1);
    for (int i = index; i < all.size(); i += of) {
      PollSourceConfig source = all.get(i);
      PollMeters meters = new PollMeters(node.meters(), source.name());
      SourceTurn turn = new SourceTurn(node, source, meters, watch);
      sources.add(new PolledSource(vertx, node, intake, source, meters, turn));
    }
    return sources.isEmpty() ? Optional.empty() : Optional.of(new PollDoor(sources, watch));
  }

  /** What is wrong with the files and variables, each a sentence with a dotted path; blocks. */
  public static List<String> problems(PollDoorConfig config) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < config.sources().size(); i++) {
      PollSourceConfig source = config.sources().get(i);
      String path = "ingest.poll.sources[" + i + "].";
      if (!source.tls().caFile().isEmpty()) {
        attempt(problems, path + "tls.caFile", () -> Trust.only(source.tls().caFile()));
      }
      for (int header = 0; header < source.headers().size(); header++) {
        PollHeaderConfig one = source.headers().get(header);
        attempt(problems, path + "headers[" + header + "]", one::readValue);
      }
    }
    return problems;
  }

  private interface Reading {
    Object read() throws IOException;
  }

  private static void attempt(List<String> problems, String path, Reading reading) {
    try {
      reading.read();
    } catch (IOException e) {
      problems.add(path + ": " + e.getMessage());
    }
  }

  @Override
  public Future<Void> open() {
    sources.forEach(PolledSource::open);
    watch.open();
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    watch.close();
    return Future.join(sources.stream().map(PolledSource::close).toList()).mapEmpty();
  }
}
