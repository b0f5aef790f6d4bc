package io.galop.persist.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/** A process that can be reached, as the others hear of it. */
class Endpoint {
  /** So long a process may be silent before the others take it for gone. */
  static final long MAX_SILENCE_MS = 5_000;

  final World world;
  final String id;

  /** Whom this one has heard of, and when last. */
  final Map<Endpoint, Long> heardMs = new LinkedHashMap<>();

  private boolean isUp = true;
  private long pausedUntilMs;

  Endpoint(World world, String id) {
    this.world = world;
    this.id = id;
  }

  boolean isUp() {
    return isUp;
  }

  boolean isPaused() {
    return world.clock.nowMs() < pausedUntilMs;
  }

  void pause(long ms) {
    pausedUntilMs = Math.max(pausedUntilMs, world.clock.nowMs() + ms);
  }

  void resume() {
    pausedUntilMs = 0;
  }

  void down() {
    isUp = false;
  }

  boolean sees(Endpoint other) {
    Long heard = heardMs.get(other);
    return heard != null && world.clock.nowMs() - heard <= MAX_SILENCE_MS;
  }

  /**
   * Does something later, unless the process has ended then; a paused one does it when it goes on.
   */
  void later(long ms, Runnable run) {
    world.clock.after(ms, () -> enter(run));
  }

  /** Does something now, on the same conditions. */
  void enter(Runnable run) {
    if (!isUp) {
      return;
    }
    long now = world.clock.nowMs();
    if (now < pausedUntilMs) {
      world.clock.after(Math.min(pausedUntilMs - now, 1_000), () -> enter(run));
    } else {
      run.run();
    }
  }
}
