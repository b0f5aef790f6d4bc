package io.galop.persist;

import io.galop.bus.Bus;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** A broadcast node that follows one shard and checks that nothing is missing. */
final class TestFollower {
  private final Vertx vertx;
  private final Bus bus;
  private final int shard;
  private final List<Placed> seen = Collections.synchronizedList(new ArrayList<>());
  private volatile Position at;
  private volatile long session;
  private volatile int refusals;
  private volatile int gaps;
  private boolean keeps;
  private volatile long signsOfLife;

  /** Called with every Push that is taken, to answer late. */
  volatile Function<Push, Future<Void>> answer = push -> Future.succeededFuture();

  TestFollower(Vertx vertx, Bus bus, int shard) throws Exception {
    this.vertx = vertx;
    this.bus = bus;
    this.shard = shard;
    this.at = Position.none(shard);
    TestNode.await(bus.feed().onPush(this::onPush).completion());
  }

  Followed follow(Position since) throws Exception {
    long mine = session + 1;
    at = null;
    session = mine;
    Followed followed =
        TestNode.await(bus.feed().follow(new Follow(bus.cluster().self().id(), mine, since)));
    return followed;
  }

  private synchronized Future<Void> onPush(Push push) {
    if (push.session() != session) {
      refusals++;
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_CONTINUOUS, "another session"));
    }
    if (at == null) {
      at = push.after();
    }
    if (!push.after().equals(at)) {
      return refuse();
    }
    if (push.batch().records().isEmpty()) {
      signsOfLife++;
    }
    for (int i = 0; i < push.batch().records().size(); i++) {
      at = push.batch().position(i);
      seen.add(new Placed(at, push.batch().records().get(i)));
    }
    return answer.apply(push);
  }

  /** Follows again, with its Position, whenever it cannot go on; counts what it is told to miss. */
  void keepFollowing() {
    keeps = true;
    again();
  }

  private synchronized void again() {
    Position since = lastSeen();
    session++;
    at = null;
    bus.feed()
        .follow(new Follow(bus.cluster().self().id(), session, since))
        .onSuccess(followed -> gaps += followed.complete() ? 0 : 1)
        .onFailure(failure -> vertx.setTimer(20, timer -> again()));
  }

  int gaps() {
    return gaps;
  }

  Position lastSeen() {
    List<Placed> all = seen();
    return all.isEmpty() ? Position.none(shard) : all.get(all.size() - 1).position();
  }

  private Future<Void> refuse() {
    refusals++;
    if (keeps && at != null) {
      again();
    }
    return Future.failedFuture(new Refusal(Refusal.Why.NOT_CONTINUOUS, "follow again"));
  }

  Position at() {
    return at;
  }

  int refusals() {
    return refusals;
  }

  long signsOfLife() {
    return signsOfLife;
  }

  List<Placed> seen() {
    synchronized (seen) {
      return List.copyOf(seen);
    }
  }

  List<String> ids() {
    return seen().stream().map(placed -> placed.record().id()).toList();
  }
}
