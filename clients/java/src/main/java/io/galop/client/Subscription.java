package io.galop.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One filter that is watched. Its records go to one {@link Flow.Subscriber}, or to {@link
 * #forEach}, on the client's executor; until one is there they wait in the queue. {@code onError}
 * brings a {@link FeedException} when it ends otherwise than by the program's wish. For any thread.
 */
public final class Subscription implements Flow.Publisher<FeedRecord>, AutoCloseable {
  private final String filter;
  private final RecordQueue queue;
  private final Supplier<Status> status;
  private final Supplier<Caps> caps;
  private final Consumer<Update> updates;
  private final Runnable onClose;

  Subscription(Registration registration, Consumer<Update> updates, Runnable onClose) {
    this.filter = registration.filter;
    this.queue = registration.queue;
    this.status = registration::status;
    this.caps = registration::caps;
    this.updates = updates;
    this.onClose = onClose;
  }

  public String filter() {
    return filter;
  }

  public Status status() {
    return status.get();
  }

  /** What operators' caps leave of it, as far as the node has told. */
  public Caps caps() {
    return caps.get();
  }

  /** How many records went, as the queue was full. */
  public long missed() {
    return queue.missed();
  }

  /** Cancelling ends the subscription. A second subscriber gets an IllegalStateException. */
  @Override
  public void subscribe(Flow.Subscriber<? super FeedRecord> subscriber) {
    queue.subscribe(subscriber);
  }

  /**
   * Hands each record to {@code action}, one after the other; it may block. What it throws ends the
   * subscription.
   *
   * @return ends with the subscription, with a FeedException if that was not the program's wish
   */
  public CompletionStage<Void> forEach(Consumer<? super FeedRecord> action) {
    Each each = new Each(action);
    queue.subscribe(each);
    return each.end;
  }

  /** Changes {@code where} and {@code fields}; an empty text and an empty list end a wish. */
  public CompletionStage<Void> update(String where, List<String> fields) {
    return update(Wishes.create().where(where).fields(fields.toArray(String[]::new)));
  }

  /**
   * Changes what of the records is wanted and how much, without a gap or a second snapshot. One
   * change at a time: until the answer another fails with {@code update_pending}.
   *
   * @return ends when all that follows is by the new wishes; with a FeedException if the node
   *     refuses them, and then all stays as it was
   */
  public CompletionStage<Void> update(Wishes wishes) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    updates.accept(new Update(wishes, done));
    return done;
  }

  /** Ends it. What waits in the queue goes. */
  @Override
  public void close() {
    queue.discard();
    onClose.run();
  }

  /** Takes one record after the other. */
  private static final class Each implements Flow.Subscriber<FeedRecord> {
    private final Consumer<? super FeedRecord> action;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Flow.Subscription from = NOTHING;

    Each(Consumer<? super FeedRecord> action) {
      this.action = action;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      from = subscription;
      from.request(1);
    }

    @Override
    public void onNext(FeedRecord record) {
      try {
        action.accept(record);
      } catch (Throwable fault) { // of whatever kind, whoever waits for the end must hear of it
        from.cancel();
        end.completeExceptionally(fault);
        return;
      }
      from.request(1);
    }

    @Override
    public void onError(Throwable why) {
      end.completeExceptionally(why);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  private static final Flow.Subscription NOTHING =
      new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };
}
