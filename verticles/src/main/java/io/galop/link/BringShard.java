package io.galop.link;

import io.galop.bus.Ask;
import io.galop.bus.Errand;
import io.galop.bus.Errand.Begin;
import io.galop.bus.Errand.Kind;
import io.galop.bus.Errand.Load;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.record.Position;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;

/**
 * Sends a relay one shard that this node owns, without being asked: the latest records and what
 * comes after them, or what comes after the last that the relay has acknowledged. Begins anew after
 * every failure. On the event loop of the link.
 */
final class BringShard {
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 1_000;
  private static final int PAGE_BYTES = 512 * 1024;

  private final int shard;
  private final long timeoutMs;
  private final Function<Errand, Future<?>> owner;
  private final Function<Errand, Future<?>> relay;
  private final Loop loop = Loop.current();
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  private boolean isWanted;
  private long session;
  private boolean mustLoad = true;
  private boolean hasMoved;

  /** The last that the relay has taken. */
  private Position taken;

  /** Pushes wait for the relay to know what they go on from; the owner's credit bounds them. */
  private Promise<Void> begun = Promise.promise();

  /**
   * @param owner answers what a relay asks
   * @param relay takes what it is sent
   */
  BringShard(
      int shard,
      long timeoutMs,
      Function<Errand, Future<?>> owner,
      Function<Errand, Future<?>> relay) {
    this.shard = shard;
    this.timeoutMs = timeoutMs;
    this.owner = owner;
    this.relay = relay;
    this.taken = Position.none(shard);
  }

  /** Another process has taken the relay's name, and knows nothing. */
  void forget() {
    mustLoad = true;
    taken = Position.none(shard);
  }

  /** From now on, or no more. */
  void want(boolean isNow) {
    if (isNow && !isWanted) {
      isWanted = true;
      backoff.reset();
      attempt();
    } else if (!isNow && isWanted) {
      isWanted = false;
      end();
    }
  }

  private void end() {
    session++;
    begun.tryFail(ended());
  }

  private static Refusal ended() {
    return new Refusal(Refusal.Why.NOT_CONTINUOUS, "the relay follows by no such session");
  }

  private void attempt() {
    end();
    if (!isWanted) {
      return;
    }
    long mine = session;
    begun = Promise.promise();
    hasMoved = false;
    if (mustLoad || taken.isNone()) {
      load(mine, "", Position.none(shard));
    } else {
      follow(mine, taken, false);
    }
  }

  private void load(long mine, String next, Position head) {
    Ask ask = new Ask(shard, Position.none(shard), next, PAGE_BYTES);
    owner
        .apply(new Errand(Kind.LATEST, "", timeoutMs, ask))
        .compose(page -> send(mine, (Page) page))
        .onSuccess(page -> loaded(mine, page, next.isEmpty() ? page.upTo() : head))
        .onFailure(failure -> failed(mine));
  }

  private Future<Page> send(long mine, Page page) {
    Load load = new Load(shard, mine, page);
    return relay.apply(new Errand(Kind.LOAD, "", timeoutMs, load)).map(page);
  }

  private void loaded(long mine, Page page, Position head) {
    if (mine != session) {
      return;
    }
    if (page.next().isEmpty()) {
      follow(mine, head, true);
    } else {
      load(mine, page.next(), head);
    }
  }

  private void follow(long mine, Position since, boolean isLoaded) {
    Follow follow = new Follow("", mine, since);
    owner
        .apply(new Errand(Kind.FOLLOW, "", timeoutMs, follow))
        .compose(answer -> begin(mine, (Followed) answer, isLoaded))
        .onSuccess(told -> began(mine))
        .onFailure(failure -> failed(mine));
  }

  private Future<?> begin(long mine, Followed followed, boolean isLoaded) {
    if (!followed.complete()) {
      return Future.failedFuture(ended());
    }
    mustLoad = mustLoad && !isLoaded;
    return relay.apply(new Errand(Kind.BEGIN, "", timeoutMs, new Begin(mine, followed.from())));
  }

  private void began(long mine) {
    if (mine == session) {
      begun.tryComplete();
    }
  }

  /** What did not go on from the last that was taken, is loaded the next time. */
  private void failed(long mine) {
    if (mine == session) {
      mustLoad = !hasMoved;
      end();
      long ended = session;
      loop.vertx().setTimer(backoff.nextMs(), timer -> again(ended));
    }
  }

  /** Unless it was begun or ended meanwhile, which counts as another session. */
  private void again(long ended) {
    if (ended == session) {
      attempt();
    }
  }

  /** Hands on what the owner pushes. */
  Future<Void> onPush(Push push) {
    if (push.session() != session) {
      return Future.failedFuture(ended());
    }
    return begun
        .future()
        .compose(ready -> relay.apply(new Errand(Kind.PUSH, "", timeoutMs, push)))
        .onSuccess(done -> took(push))
        .onFailure(failure -> failed(push.session()))
        .mapEmpty();
  }

  private void took(Push push) {
    Position end = BroughtShard.end(push);
    if (push.session() == session) {
      hasMoved = true;
      backoff.reset();
      taken = end;
    }
  }
}
