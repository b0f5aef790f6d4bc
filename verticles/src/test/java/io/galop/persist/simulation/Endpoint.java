package io.galop.persist.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** A process that can be reached, as the others hear of it. */
class Endpoint {
  /** So long a process may be silent before the others take it for gone. */
  static final long MAX_SILENCE_MS = 5_000;

  final World world;
  final String id;

  /** Of all that ever were in this world. */
  final int number;

  /** Whom this one has heard of, and when last. */
  final Map<Endpoint, Long> heardMs = new LinkedHashMap<>();

  /** What comes while the process is paused, in order. */
  private final Deque<Runnable> held = new ArrayDeque<>();

  private boolean isUp = true;
  private long pausedUntilMs;

  Endpoint(World world, String id) {
    this.world = world;
    this.id = id;
    this.number = world.number();
  }

  boolean isUp() {
    return isUp;
  }

  boolean isPaused() {
    return world.clock.nowMs() < pausedUntilMs;
  }

  void pause(long ms) {
    pausedUntilMs = Math.max(pausedUntilMs, world.clock.nowMs() + ms);
    world.clock.after(ms, this::goOn);
  }

  void resume() {
    pausedUntilMs = 0;
    goOn();
  }

  private void goOn() {
    while (isUp && !isPaused() && !held.isEmpty()) {
      held.peek().run();
      held.poll();
    }
  }

  void down() {
    isUp = false;
    held.clear();
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

  /** Does something now, on the same conditions; behind what is held. */
  void enter(Runnable run) {
    if (isUp && (isPaused() || !held.isEmpty())) {
      held.add(run);
    } else if (isUp) {
      run.run();
    }
  }
}
