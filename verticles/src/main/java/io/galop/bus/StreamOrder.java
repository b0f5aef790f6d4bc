package io.galop.bus;

import io.galop.record.Batch;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets the Batches of each sender to a shard pass in their order and without a hole: after one that
 * was not taken, none of its stream is, until the sender begins another stream with it. So many of
 * them can be under way and an older value is never placed after a newer one. On one event loop.
 */
final class StreamOrder implements Function<SequencedBatch, Future<Void>> {
  /** A sender whose stream was forgotten begins another one: it costs it a repetition. */
  private static final int MOST_STREAMS = 4096;

  private final Function<Batch, Future<Void>> handler;
  private final Map<Long, Long> expected = new Streams();

  /** The first Batch says which it is. */
  private @Nullable Loop loop;

  StreamOrder(Function<Batch, Future<Void>> handler) {
    this.handler = handler;
  }

  @Override
  public Future<Void> apply(SequencedBatch next) {
    loopOfFirst().check();
    long due = expected.getOrDefault(next.stream(), 0L);
    if (next.number() != due) {
      String message = "Batch " + next.number() + " of its stream came, " + due + " is due";
      return Future.failedFuture(new Refusal(Refusal.Why.OUT_OF_ORDER, message));
    }
    Future<Void> taken = handler.apply(next.batch());
    if (!taken.failed()) {
      expected.put(next.stream(), due + 1);
      taken.onFailure(late -> ended(next.stream()));
    }
    return taken;
  }

  private Loop loopOfFirst() {
    Loop known = loop == null ? Loop.current() : loop;
    loop = known;
    return known;
  }

  private void ended(long stream) {
    loopOfFirst().check();
    expected.remove(stream);
  }

  private static final class Streams extends LinkedHashMap<Long, Long> {
    private static final long serialVersionUID = 1L;

    Streams() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
      return size() > MOST_STREAMS;
    }
  }
}
