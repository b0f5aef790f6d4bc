package io.galop.link;

import io.galop.bus.Ask;
import io.galop.bus.Errand;
import io.galop.bus.Errand.Begin;
import io.galop.bus.Errand.Load;
import io.galop.bus.Follow;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;

/**
 * What a link brings that may be asked nothing, and the answers to what the relay's feed asks: from
 * here, without a byte to the other side. On the event loop of the link, but for {@link #ask}.
 */
final class Brought {
  private static final Refusal UNASKED =
      new Refusal(
          Refusal.Why.NOT_READY,
          "this relay is sent records and may ask for none (relays[].questions is false)");

  private final Loop loop = Loop.current();
  private final BroughtShard[] shards;

  Brought(int shards, Function<Push, Future<Void>> feed) {
    this.shards = new BroughtShard[shards];
    for (int shard = 0; shard < shards; shard++) {
      this.shards[shard] = new BroughtShard(shard, feed);
    }
  }

  /**
   * Takes what is sent unasked beside pushes.
   *
   * @return whether it is that
   * @throws IllegalArgumentException if there is no such shard
   */
  boolean take(Errand errand) {
    if (errand.message() instanceof Load load) {
      shard(load.shard()).onLoad(load);
    } else if (errand.message() instanceof Begin begin) {
      shard(begin.from().shard()).onBegin(begin);
    } else {
      return false;
    }
    return true;
  }

  /** Takes a push; succeeds when the feed has it. */
  Future<Void> onPush(Push push) {
    return shard(push.batch().shard()).onPush(push);
  }

  private BroughtShard shard(int shard) {
    if (shard < 0 || shard >= shards.length) {
      throw new IllegalArgumentException("there is no shard " + shard);
    }
    return shards[shard];
  }

  /** Answers what the feed or history asks of a node; on the caller's loop. From any thread. */
  Future<Object> ask(Errand errand) {
    Promise<Object> answer = Loop.current(loop.vertx()).promise();
    loop.run(() -> answered(errand).onComplete(answer));
    return answer.future();
  }

  private Future<Object> answered(Errand errand) {
    return switch (errand.kind()) {
      case FOLLOW -> {
        Follow follow = (Follow) errand.message();
        yield shards[follow.since().shard()].follow(follow).map(all -> all);
      }
      case LATEST -> {
        Ask ask = (Ask) errand.message();
        yield shards[ask.shard()].latest(ask).map(all -> all);
      }
      case FETCH -> {
        Ask ask = (Ask) errand.message();
        yield shards[ask.shard()].fetch(ask).map(all -> all);
      }
      default -> Future.failedFuture(UNASKED);
    };
  }
}
