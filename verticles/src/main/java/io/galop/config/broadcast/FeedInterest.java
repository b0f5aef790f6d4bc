package io.galop.config.broadcast;

/** Which records a relay wants. */
public enum FeedInterest {
  /** All of them, so that any registration can be answered at once. */
  ALL,
  /** Those that a viewer has registered a filter for. */
  WATCHED
}
