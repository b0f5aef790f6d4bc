package io.galop.extend;

import io.galop.bus.Bus;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.jvm.ErrorText;
import io.galop.retry.Backoff;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hands what an instance publishes to the bus door of this node, or of one that has doors: one
 * message under way at a time, with all that came meanwhile in the next, so that the order is kept.
 * What the door does not take for want of room is sent again until the deadline of the cluster. On
 * the context of the instance.
 */
final class RecordPublisher {
  private static final String UNAVAILABLE = "unavailable";

  /** As many rejections as the door lists. */
  private static final int MOST_RECORDS = 1000;

  private static final int MOST_BYTES = 1 << 20;
  private static final long FIRST_PAUSE_MS = 20;
  private static final long LONGEST_PAUSE_MS = 500;

  private final Guard guard;
  private final Vertx vertx;
  private final Context context;
  private final Bus bus;
  private final long deadlineMs;
  private final int maxBytes;
  private final VerticleMeters meters;
  private final Deque<Draft> waiting = new ArrayDeque<>();
  private final List<Draft> underWay = new ArrayList<>();
  private final List<Promise<Void>> drains = new ArrayList<>();
  private long bytes;
  private boolean isSendDue;
  private long deadlineNanos;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  RecordPublisher(Guard guard, VerticleHost host, int maxBytes) {
    this.guard = guard;
    this.context = guard.context();
    this.vertx = context.owner();
    this.bus = host.node().bus();
    this.deadlineMs = host.node().config().cluster().deadlineMs();
    this.maxBytes = maxBytes;
    this.meters = guard.meters();
  }

  /** Takes a record, or refuses it where as much is in flight as may be. */
  void publish(Draft draft) {
    if (bytes > 0 && bytes + draft.bytes() > maxBytes) {
      String detail =
          "more than maxInFlightBytes, %d, are not acknowledged yet; wait for those"
              .formatted(maxBytes);
      reject(draft, NotPublished.OVER_IN_FLIGHT, detail);
      return;
    }
    bytes += draft.bytes();
    meters.inFlightBytes().addAndGet(draft.bytes());
    waiting.add(draft);
    if (!isSendDue && underWay.isEmpty()) {
      isSendDue = true;
      context.runOnContext(turnEnds -> send());
    }
  }

  private void send() {
    isSendDue = false;
    int sent = 0;
    while (!waiting.isEmpty() && underWay.size() < MOST_RECORDS && sent < MOST_BYTES) {
      Draft next = waiting.poll();
      sent += next.bytes();
      underWay.add(next);
    }
    if (underWay.isEmpty()) {
      drains.forEach(Promise::tryComplete);
      drains.clear();
      return;
    }
    deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMs);
    backoff.reset();
    attempt();
  }

  private void attempt() {
    String lines = underWay.stream().map(Draft::line).collect(Collectors.joining("\n", "", "\n"));
    Optional<Member> door = door();
    if (door.isEmpty()) {
      tryAgain("no node with the role ingest is up");
      return;
    }
    bus.publish()
        .publish(door.get().id(), lines)
        .onComplete((answer, failure) -> context.runOnContext(now -> answered(answer, failure)));
  }

  /** This node where it has doors, else always the same one as long as that is there. */
  private Optional<Member> door() {
    Member self = bus.cluster().self();
    if (self.roles().contains(Role.INGEST)) {
      return Optional.of(self);
    }
    return bus.cluster().members().stream()
        .filter(member -> member.roles().contains(Role.INGEST))
        .findFirst();
  }

  private void answered(JsonObject answer, @Nullable Throwable failure) {
    if (failure != null) {
      tryAgain(ErrorText.of(failure));
    } else if (!answer.getString("error", "").isEmpty()) {
      tryAgain(answer.getString("error"));
    } else {
      settle(rejections(answer.getJsonArray("rejected")));
    }
  }

  private void tryAgain(String why) {
    if (System.nanoTime() - deadlineNanos < 0) {
      vertx.setTimer(backoff.nextMs(), timer -> attempt());
      return;
    }
    String detail =
        "not acknowledged in time, but perhaps stored; publish it again under the same id";
    JsonObject rejection =
        new JsonObject().put("reason", UNAVAILABLE).put("detail", detail + " (" + why + ")");
    Map<Integer, JsonObject> all = new HashMap<>();
    for (int line = 1; line <= underWay.size(); line++) {
      all.put(line, rejection);
    }
    settle(all);
  }

  private static Map<Integer, JsonObject> rejections(JsonArray listed) {
    Map<Integer, JsonObject> byLine = new HashMap<>();
    listed.forEach(one -> byLine.put(((JsonObject) one).getInteger("line"), (JsonObject) one));
    return byLine;
  }

  /** What is told of one record may publish the next; that waits for the turn's end. */
  private void settle(Map<Integer, JsonObject> rejections) {
    List<Draft> settled = List.copyOf(underWay);
    underWay.clear();
    isSendDue = true;
    context.runOnContext(turnEnds -> send());
    int line = 0;
    for (Draft draft : settled) {
      line++;
      bytes -= draft.bytes();
      meters.inFlightBytes().addAndGet(-draft.bytes());
      settle(draft, rejections.get(line));
    }
  }

  /** With what the door says of it; null: it is acknowledged. */
  private void settle(Draft draft, @Nullable JsonObject rejection) {
    if (rejection == null) {
      meters.published().increment();
      draft.taken().complete();
      return;
    }
    reject(draft, rejection.getString("reason"), rejection.getString("detail", ""));
  }

  private void reject(Draft draft, String reason, String detail) {
    NotPublished why = new NotPublished(reason, detail, draft.id());
    guard.rejected(why);
    draft.taken().fail(why);
  }

  /** Succeeds when all that was published is settled. */
  Future<Void> drained() {
    if (underWay.isEmpty() && waiting.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    drains.add(drained);
    return drained.future();
  }
}
