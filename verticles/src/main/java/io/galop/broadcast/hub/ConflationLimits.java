package io.galop.broadcast.hub;

import org.jspecify.annotations.Nullable;

/**
 * What all conflating registrations of one Subscriber share: how many topics may wait, and how
 * often each may be sent. On the Hub's event loop.
 */
final class ConflationLimits {
  private final int maxWaitingTopics;

  /** Null until something is conflated: most connections conflate nothing. */
  private @Nullable Budget topics;

  /** What the connection's token allows; null: any. */
  private @Nullable TopicPace pace;

  ConflationLimits(int maxWaitingTopics) {
    this.maxWaitingTopics = maxWaitingTopics;
  }

  /** No topic may be sent more often, whatever is registered; before any registration. */
  void limit(double maxRate) {
    pace = new TopicPace(maxRate, System.nanoTime());
  }

  /** What is to wait for one more registration. */
  Newest newest(double maxRate) {
    Budget shared = topics == null ? new Budget(maxWaitingTopics) : topics;
    topics = shared;
    return new Newest(maxRate, shared, pace);
  }
}
