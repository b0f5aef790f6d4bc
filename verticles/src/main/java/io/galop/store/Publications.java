package io.galop.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** What the reactive driver publishes, as Futures. */
public final class Publications {
  private Publications() {}

  /** All that is published, when it has ended; completes on the context. */
  public static <T> Future<List<T>> all(Publisher<T> publisher, Context context) {
    Promise<List<T>> done = Promise.promise();
    publisher.subscribe(new Gather<>(done));
    return on(context, done.future());
  }

  /** The last thing published, null if there was none; completes on the context. */
  public static <T> Future<T> last(Publisher<T> publisher, Context context) {
    return all(publisher, context).map(all -> all.isEmpty() ? null : all.get(all.size() - 1));
  }

  /** The same, on whichever thread the driver completes it. */
  public static <T> Future<List<T>> all(Publisher<T> publisher) {
    Promise<List<T>> done = Promise.promise();
    publisher.subscribe(new Gather<>(done));
    return done.future();
  }

  private static <T> Future<T> on(Context context, Future<T> future) {
    Promise<T> there = Promise.promise();
    future.onComplete(outcome -> context.runOnContext(none -> there.handle(outcome)));
    return there.future();
  }

  private record Gather<T>(Promise<List<T>> done, List<T> items) implements Subscriber<T> {
    Gather(Promise<List<T>> done) {
      this(done, new ArrayList<>());
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T item) {
      items.add(item);
    }

    @Override
    public void onError(Throwable failure) {
      done.fail(failure);
    }

    @Override
    public void onComplete() {
      done.complete(items);
    }
  }
}
