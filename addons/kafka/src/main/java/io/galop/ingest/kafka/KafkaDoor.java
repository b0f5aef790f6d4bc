package io.galop.ingest.kafka;

import io.galop.ingest.intake.Door;
import io.vertx.core.Future;
import java.util.List;

/** The kafka door of one event loop: its sources. */
final class KafkaDoor implements Door {
  private final List<KafkaFeed> feeds;

  KafkaDoor(List<KafkaFeed> feeds) {
    this.feeds = List.copyOf(feeds);
  }

  /** Brokers may be away: the node starts all the same. */
  @Override
  public Future<Void> open() {
    feeds.forEach(KafkaFeed::start);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.join(feeds.stream().map(KafkaFeed::stop).toList()).mapEmpty();
  }
}
