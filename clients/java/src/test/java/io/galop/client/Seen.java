package io.galop.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber that takes records when a test asks for them. */
final class Seen implements Flow.Subscriber<FeedRecord> {
  private final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
  volatile Flow.Subscription from;

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    from = subscription;
    signals.add("subscribed");
  }

  @Override
  public void onNext(FeedRecord record) {
    signals.add(record);
  }

  @Override
  public void onError(Throwable why) {
    signals.add(why);
  }

  @Override
  public void onComplete() {
    signals.add("complete");
  }

  Object next() throws InterruptedException {
    Object signal = signals.poll(20, TimeUnit.SECONDS);
    if (signal == null) {
      throw new AssertionError("nothing comes");
    }
    return signal;
  }

  FeedRecord record() throws InterruptedException {
    from.request(1);
    return (FeedRecord) next();
  }

  boolean isSilent() throws InterruptedException {
    return signals.poll(100, TimeUnit.MILLISECONDS) == null;
  }
}
