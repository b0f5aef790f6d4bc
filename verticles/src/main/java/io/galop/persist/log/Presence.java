package io.galop.persist.log;

import io.galop.persist.log.file.Segment;
import io.galop.persist.log.file.Segments;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that files of an open Log were deleted. The segment that is written to is put back in its
 * place by the writer, who has it open; one that is sealed is gone, and with it what no store has.
 * For one thread; costs a listing of the directory each second.
 */
final class Presence {
  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);
  private final Segments segments;
  private final Spare spare;
  private final AppendQueue queue;
  private final LogMetrics metrics;
  private final LogHealth health;
  private Promise<Void> putBack = Promise.promise();
  private long lookedNs = System.nanoTime();

  Presence(
      Segments segments, Spare spare, AppendQueue queue, LogMetrics metrics, LogHealth health) {
    this.segments = segments;
    this.spare = spare;
    this.queue = queue;
    this.metrics = metrics;
    this.health = health;
    putBack.complete();
  }

  /** Looks, if it is time to. */
  void look() throws IOException {
    if (System.nanoTime() - lookedNs < EVERY_NS) {
      return;
    }
    lookedNs = System.nanoTime();
    spare.lookForFile();
    Set<Long> there = there();
    for (Segment segment : segments.all()) {
      if (!there.contains(segment.sequence()) || !segment.isSealed()) {
        look(segment);
      }
    }
  }

  private Set<Long> there() throws IOException {
    try {
      return Segments.files(segments.directory()).stream()
          .map(Segment::sequence)
          .collect(Collectors.toSet());
    } catch (NoSuchFileException e) {
      return Set.of();
    }
  }

  /** One that is freed is taken from the segments before its file is deleted. */
  private void look(Segment segment) {
    if (segment.isInPlace() || !segments.has(segment.sequence())) {
      return;
    }
    if (segment.isSealed()) {
      gone(segment);
    } else if (putBack.future().isComplete()) {
      putBack = Promise.promise();
      queue.add(new Append(SegmentWriter::putBackIfLost, 0, 0, putBack, null));
    }
  }

  private void gone(Segment segment) {
    segments.forget(segment);
    metrics.damaged.increment();
    String what =
        "the segment "
            + segment.path().getFileName()
            + " was deleted while the node has the Log open: records that no store has taken are"
            + " gone from it; stop whatever deletes files there and put a copy back with the node"
            + " stopped";
    LOG.error("DAMAGE IN THE LOG: {}", what);
    health.damaged(what);
  }
}
