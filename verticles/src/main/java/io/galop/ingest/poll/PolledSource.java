package io.galop.ingest.poll;

import io.galop.config.ingest.PollSourceConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.RecordIds;
import io.galop.ingest.parse.RecordReader;
import io.galop.node.Node;
import io.galop.record.Rejection;
import io.galop.retry.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source: asks, publishes what has changed, waits until that is acknowledged, and after a pause
 * begins again, or sleeps while nobody watches. The node that the source's name falls to does so;
 * the others look every second whether it is theirs now. For one event loop.
 */
final class PolledSource {
  private static final Logger LOG = LoggerFactory.getLogger(PolledSource.class);
  private static final long LOOK_EVERY_MS = 1_000;

  /** How soon it asks when somebody is known to watch again. */
  private static final long WAKE_WITHIN_MS = 200;

  private static final double JITTER = 0.1;

  private final Vertx vertx;
  private final PollSourceConfig source;
  private final Intake intake;
  private final DoorMeters doorMeters;
  private final PollMeters meters;
  private final PollRequest request;
  private final SourceTurn turn;
  private final KnownTopics known;
  private Map<CharSequence, String> validators = Map.of();
  private Future<Void> round = Future.succeededFuture();
  private long timer = -1;
  private final Backoff backoff;
  private int failures;

  /** How often what was known has been forgotten: answers of before say nothing any more. */
  private int forgotten;

  private boolean closed;

  PolledSource(
      Vertx vertx,
      Node node,
      Intake intake,
      PollSourceConfig source,
      PollMeters meters,
      SourceTurn turn) {
    this.vertx = vertx;
    this.source = source;
    this.backoff = Backoff.regular(2 * source.intervalMs(), source.maxBackoffMs());
    this.intake = intake;
    this.doorMeters = new DoorMeters(node.meters(), "poll");
    this.meters = meters;
    this.request = new PollRequest(vertx, source);
    this.turn = turn;
    boolean recordsGone = source.onGone() == PollSourceConfig.OnGone.RECORD;
    this.known = new KnownTopics(source.maxTopics(), recordsGone, new RecordIds()::next);
  }

  /** Begins. */
  void open() {
    turn.onLost(this::forget);
    look();
  }

  private void look() {
    if (closed || intake.inFlight().isClosing()) {
      return;
    }
    if (!turn.isMine()) {
      rest();
      return;
    }
    turn.count();
    if (turn.isAsleep()) {
      after(Math.min(WAKE_WITHIN_MS, source.intervalMs()));
    } else if (intake.inFlight().isFull()) {
      doorMeters.paused();
      intake.inFlight().whenRoom(intake.context(), this::look);
    } else {
      round = ask().transform(asked -> next(asked.cause()));
    }
  }

  /** Another may publish now: what was known says nothing any more. */
  private void forget() {
    meters.asking.set(0);
    turn.forget();
    known.clear();
    meters.topics.set(0);
    validators = Map.of();
    forgotten++;
  }

  private void rest() {
    forget();
    forgive();
    after(Math.min(LOOK_EVERY_MS, source.intervalMs()));
  }

  private void forgive() {
    failures = 0;
    backoff.reset();
  }

  private void after(long delayMs) {
    if (!closed) {
      timer = vertx.setTimer(delayMs, now -> look());
    }
  }

  private Future<Void> ask() {
    return request
        .send(validators)
        .compose(
            reply -> {
              if (!reply.isModified()) {
                meters.unchanged.increment();
                return Future.succeededFuture();
              }
              return vertx
                  .executeBlocking(() -> PollAnswer.of(source, reply.body().getBytes()))
                  .compose(answer -> publish(answer, reply.validators()));
            });
  }

  private Future<Void> publish(PollAnswer answer, Map<CharSequence, String> given) {
    if (closed || !turn.isMine()) {
      return Future.succeededFuture();
    }
    List<KnownTopics.Change> changes = known.changes(answer.items());
    count(answer, changes.size());
    if (changes.isEmpty()) {
      validators = known.overLimit() == 0 ? given : Map.of();
      return Future.succeededFuture();
    }
    Promise<Void> settled = Promise.promise();
    Rejections rejections = new Rejections(Integer.MAX_VALUE);
    int before = forgotten;
    Submission submission =
        intake.open(
            doorMeters,
            rejections,
            done -> {
              Set<Integer> later = settle(changes, rejections);
              boolean isAllKnown = later.isEmpty() && known.overLimit() == 0;
              validators = isAllKnown && before == forgotten ? given : Map.of();
              end(settled, later.size());
            });
    for (int i = 0; i < changes.size(); i++) {
      KnownTopics.Change change = changes.get(i);
      byte[] topic = change.item().topic().getBytes(StandardCharsets.UTF_8);
      byte[] data = change.item().data();
      intake.reader().readParts(topic, change.id(), RecordReader.NO_TIME, data, i + 1, submission);
    }
    submission.close();
    return settled.future();
  }

  private void count(PollAnswer answer, int changes) {
    (changes == 0 ? meters.unchanged : meters.changed).increment();
    meters.itemsChanged.increment(changes);
    meters.itemsUnchanged.increment(known.unchanged());
    meters.itemsGone.increment(known.gone());
    meters.itemsRefused.increment(answer.refused());
    meters.itemsOverLimit.increment(known.overLimit());
    meters.topics.set(known.size());
    if (answer.refused() > 0) {
      LOG.debug("source {}: {}", source.name(), answer.firstRefusal());
    }
  }

  /** What may be taken later is published again after the next answer, under the same id. */
  private Set<Integer> settle(List<KnownTopics.Change> changes, Rejections rejections) {
    Set<Integer> later = new HashSet<>();
    for (Rejection rejection : rejections.listed()) {
      if (rejection.isTemporary()) {
        later.add(rejection.line());
      }
    }
    for (int i = 0; i < changes.size(); i++) {
      if (!later.contains(i + 1)) {
        known.acknowledged(changes.get(i));
      }
    }
    return later;
  }

  private static void end(Promise<Void> settled, int later) {
    if (later == 0) {
      settled.complete();
    } else {
      settled.fail(later + " of its records are not taken now");
    }
  }

  private Future<Void> next(@Nullable Throwable failure) {
    if (closed) {
      return Future.succeededFuture();
    }
    note(failure);
    long pauseMs = failures == 0 ? source.intervalMs() : backoff.nextMs();
    double jitter = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
    after(Math.max(1, (long) (pauseMs * jitter)));
    return Future.succeededFuture();
  }

  /**
   * Logs why a round failed, null for one that did not: once when it begins and once when it ends.
   */
  private void note(@Nullable Throwable failure) {
    if (failure == null) {
      meters.good();
      if (failures > 0) {
        LOG.info("source {} answers again", source.name());
      }
      forgive();
      return;
    }
    meters.failed.increment();
    if (failures++ == 0) {
      LOG.warn("source {} cannot be used: {}", source.name(), sentence(failure));
    }
  }

  private String sentence(Throwable failure) {
    boolean timeout = failure instanceof java.util.concurrent.TimeoutException;
    String message = failure.getMessage();
    return timeout
        ? "no whole answer within timeoutMs, " + source.timeoutMs()
        : message == null ? failure.getClass().getSimpleName() : message;
  }

  /** Asks no more; succeeds when what was published is settled. */
  Future<Void> close() {
    closed = true;
    turn.close();
    vertx.cancelTimer(timer);
    return request.close().eventually(() -> round);
  }
}
