package io.galop.persist.simulation;

import java.util.PriorityQueue;

/** Simulated time: tasks in the order of when they are due. */
final class Clockwork {
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nowMs;
  private long added;

  private record Task(long atMs, long number, Runnable run) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(atMs, other.atMs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  long nowMs() {
    return nowMs;
  }

  void after(long ms, Runnable run) {
    tasks.add(new Task(nowMs + ms, added++, run));
  }

  /** Runs all that is due up to a time. */
  void runUntil(long ms) {
    while (!tasks.isEmpty() && tasks.peek().atMs() <= ms) {
      Task next = tasks.poll();
      nowMs = next.atMs();
      next.run().run();
    }
    nowMs = ms;
  }
}
