package io.galop.persist;

import io.galop.bus.HistoryLane;
import io.galop.node.Node;
import io.galop.persist.rollup.RolledAnswers;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;

/** Where a node takes questions about the past, of itself and of others. */
final class HistoryConsumers {
  private HistoryConsumers() {}

  /** Takes them on the caller's event loop, until they are unregistered. */
  static List<MessageConsumer<?>> of(Node node, PersistStorage storage) {
    HistoryLane lane = node.bus().history();
    RolledAnswers rolled = new RolledAnswers(storage.sinks().rollups(), node.meters());
    return List.of(
        lane.onQuery(storage.history()::onQuery),
        lane.onRolledSince(rolled::onSince),
        lane.onRolled(rolled::onQuery));
  }
}
