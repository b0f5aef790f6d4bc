package io.galop.alarm;

import io.galop.bus.Refusal;
import io.galop.jvm.ErrorText;
import io.galop.node.OwnedShard;
import io.galop.record.Record;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of a shard's alarms on their way into its Log, one Batch under way. What waits is the
 * newest state of each alarm, so that there is never more than alarms. Tries until it is on disk or
 * the shard is another node's, or in another epoch: who begins that one looks at the last values
 * itself, and would be contradicted by what comes later. Belongs to the loop of alarms.
 */
final class AlarmOutbox {
  private static final Logger LOG = LoggerFactory.getLogger(AlarmOutbox.class);
  private static final int MOST_RECORDS = 1_000;
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;

  private final Loop loop;
  private final OwnedShard shard;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private List<Waiting> underWay = List.of();
  private boolean isUnderWay;
  private boolean isClosed;

  /** A state, and who waits for it; shared with states that it took the place of. */
  private record Waiting(Record record, Promise<Void> written) {}

  AlarmOutbox(Loop loop, OwnedShard shard) {
    this.loop = loop;
    this.shard = shard;
  }

  /** Succeeds when the state, or a newer one of the alarm, is on disk. */
  Future<Void> write(AlarmState state) {
    loop.check();
    if (isClosed) {
      return Future.failedFuture(notOwner());
    }
    Record record = AlarmRecord.of(state);
    Waiting before = waiting.get(record.topic());
    Promise<Void> written = before == null ? Promise.promise() : before.written();
    waiting.put(record.topic(), new Waiting(record, written));
    if (!isUnderWay) {
      isUnderWay = true;
      loop.later(this::send);
    }
    return written.future();
  }

  private void send() {
    List<Waiting> sent = new ArrayList<>();
    Iterator<Waiting> next = waiting.values().iterator();
    while (next.hasNext() && sent.size() < MOST_RECORDS) {
      sent.add(next.next());
      next.remove();
    }
    if (sent.isEmpty()) {
      isUnderWay = false;
      return;
    }
    send(sent);
  }

  private void send(List<Waiting> sent) {
    if (isClosed) {
      return;
    }
    underWay = sent;
    loop.bring(shard.write(sent.stream().map(Waiting::record).toList()))
        .onSuccess(
            done -> {
              backoff.reset();
              sent.forEach(one -> one.written().tryComplete());
              send();
            })
        .onFailure(failure -> onFailed(sent, failure));
  }

  private void onFailed(List<Waiting> sent, Throwable failure) {
    if (failure instanceof Refusal refusal && isOver(refusal.why())) {
      close();
    } else if (!isClosed) {
      LOG.warn("changes of alarms are not on disk yet: {}", ErrorText.of(failure));
      loop.vertx().setTimer(backoff.nextMs(), timer -> send(sent));
    }
  }

  private static boolean isOver(Refusal.Why why) {
    return why == Refusal.Why.NOT_OWNER || why == Refusal.Why.WRONG_EPOCH;
  }

  private Refusal notOwner() {
    return new Refusal(
        Refusal.Why.NOT_OWNER, "shard " + shard.shard() + " has changed its owner or its epoch");
  }

  /** The next owner looks at the last values itself. */
  void close() {
    isClosed = true;
    underWay.forEach(one -> one.written().tryFail(notOwner()));
    waiting.values().forEach(one -> one.written().tryFail(notOwner()));
    waiting.clear();
  }
}
