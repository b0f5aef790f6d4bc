package io.galop.cli.replay;

/** A clock that moves only when somebody sleeps. */
final class VirtualClock implements Clock {
  private long nanos;

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public synchronized void sleep(long duration) {
    nanos += duration;
  }
}
