package io.galop.ingest.poll;

import io.galop.config.ingest.PollSourceConfig;
import io.galop.node.Node;
import io.galop.presence.PresenceWatch;
import io.galop.presence.Vacancy;
import io.galop.record.TopicFilter;
import java.util.concurrent.TimeUnit;

/**
 * Whether a source is to be asked by this node, now: it falls to it, and somebody watches, if that
 * counts. For one event loop.
 */
final class SourceTurn {
  private final SourceOwner owner;
  private final PollMeters meters;
  private final long sleepAfterNanos;
  private Vacancy vacancy = Vacancy.unknown(System.nanoTime());

  /**
   * @param watch tells how many viewers the source has, if its configuration says which those are
   */
  SourceTurn(Node node, PollSourceConfig source, PollMeters meters, PresenceWatch watch) {
    this.owner = new SourceOwner(node.bus().cluster(), source.name(), meters);
    this.meters = meters;
    this.sleepAfterNanos = TimeUnit.MILLISECONDS.toNanos(source.sleepAfterMs());
    if (!source.whileWatched().isEmpty()) {
      TopicFilter filter = TopicFilter.parse(source.whileWatched(), Integer.MAX_VALUE);
      watch.add(filter, owner::isMine, this::onCount);
    }
  }

  private void onCount(long viewers, boolean isPartial) {
    vacancy = vacancy.next(viewers, isPartial, System.nanoTime(), sleepAfterNanos);
  }

  /** As {@link SourceOwner#onLost}. */
  void onLost(Runnable lost) {
    owner.onLost(lost);
  }

  boolean isMine() {
    return owner.isMine();
  }

  /** Whether nobody has watched for long enough. */
  boolean isAsleep() {
    return vacancy.isVacant();
  }

  /** Counts whether the source sleeps, as it is about to be asked or not. */
  void count() {
    boolean isAsleep = isAsleep();
    meters.asleep.set(isAsleep ? 1 : 0);
    if (isAsleep) {
      meters.good(); // nobody is shown anything that could be old
    }
  }

  /** What was known of viewers says nothing any more. */
  void forget() {
    vacancy = Vacancy.unknown(System.nanoTime());
    meters.asleep.set(0);
  }

  void close() {
    owner.close();
  }
}
