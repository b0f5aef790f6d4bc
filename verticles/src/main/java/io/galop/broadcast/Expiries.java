package io.galop.broadcast;

import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who on one event loop has to leave at a time: looked through once a second, since a timer for
 * each browser would cost more; and at once, when tokens may have become bad.
 */
final class Expiries {
  private static final long EVERY_MS = 1000;

  private final Set<Entrance> entrances = new HashSet<>();

  Expiries(Vertx vertx) {
    vertx.setPeriodic(EVERY_MS, timer -> look(System.currentTimeMillis()));
  }

  void watch(Entrance entrance) {
    if (entrance.expiresMs() < Long.MAX_VALUE) {
      entrances.add(entrance);
    }
  }

  void forget(Entrance entrance) {
    entrances.remove(entrance);
  }

  /**
   * Sends away all whose tokens are no longer good, for whatever reason.
   *
   * @return how many
   */
  int sweep() {
    int gone = 0;
    for (Entrance entrance : List.copyOf(entrances)) {
      gone += entrance.judge() ? 1 : 0;
    }
    return gone;
  }

  private void look(long nowMs) {
    for (Entrance entrance : List.copyOf(entrances)) {
      if (entrance.expiresMs() <= nowMs) {
        entrances.remove(entrance);
        entrance.judge();
      }
    }
  }
}
