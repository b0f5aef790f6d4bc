package io.galop.ingest.presence;

import io.galop.cluster.Cluster;
import io.galop.config.ingest.PresenceConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.RecordIds;
import io.galop.ingest.parse.RecordReader;
import io.galop.node.Node;
import io.galop.presence.PresenceWatch;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Records on {@code $presence/…} when the number of viewers of a configured filter changes, at most
 * one a second for each. The node that the topic falls to makes them; after each change of the
 * cluster it makes one more, as another may have made the last.
 */
public final class PresenceDoor implements Door {
  private final Cluster cluster;
  private final Intake intake;
  private final PresenceWatch watch;
  private final DoorMeters meters;
  private final Clock clock = Clock.systemUTC();
  private final RecordIds ids = new RecordIds();
  private final long vacatedAfterNanos;
  private final List<PresenceTopic> topics;

  public PresenceDoor(Node node, Intake intake) {
    PresenceConfig config = node.config().ingest().presence();
    this.cluster = node.bus().cluster();
    this.intake = intake;
    this.meters = new DoorMeters(node.meters(), "presence");
    this.vacatedAfterNanos = TimeUnit.MILLISECONDS.toNanos(config.vacatedAfterMs());
    this.watch = new PresenceWatch(node, Integer.MAX_VALUE);
    this.topics =
        config.topics().stream().map(filter -> new PresenceTopic(cluster, filter)).toList();
  }

  @Override
  public Future<Void> open() {
    for (PresenceTopic topic : topics) {
      watch.add(
          topic.filter(),
          topic::isMine,
          (viewers, isPartial) -> {
            topic.state().count(viewers, isPartial, System.nanoTime(), vacatedAfterNanos);
            look(topic);
          });
    }
    cluster.onChange(members -> topics.forEach(topic -> topic.onMembers(members)));
    watch.open();
    return Future.succeededFuture();
  }

  /** What cannot be said now is said with the next count, as it is then. */
  private void look(PresenceTopic topic) {
    if (!topic.state().isToBeSaid()) {
      return;
    }
    if (intake.inFlight().isFull()) {
      meters.paused();
      return;
    }
    Submission submission =
        intake.open(
            meters,
            new Rejections(1),
            done -> topic.state().settled(done.rejections().count() == 0));
    submission.accept(topic.say(ids.next(), RecordReader.us(clock)), topic.shard(), 1);
    submission.close();
  }

  @Override
  public Future<Void> close() {
    watch.close();
    return Future.succeededFuture();
  }
}
