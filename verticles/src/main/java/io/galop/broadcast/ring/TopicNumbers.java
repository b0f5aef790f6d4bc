package io.galop.broadcast.ring;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Short numbers that stand for topics, in the order in which these appear. There are so many; then
 * the one that was given longest ago is taken from its topic. So what a browser keeps by them is
 * bounded too. On the feed loop.
 */
final class TopicNumbers {
  /** Three characters of a message at most. */
  static final int MOST = 1 << 15;

  private @Nullable Owner[] owners = new Owner[64];
  private int next;

  /** A topic with a number. */
  interface Owner {
    /** The number stands for another topic from now on. */
    void lose();
  }

  /** A number from 0 on, below {@link #MOST}. */
  int take(Owner owner) {
    int number = next;
    next = (next + 1) % MOST;
    if (number == owners.length) {
      owners = Arrays.copyOf(owners, 2 * owners.length);
    }
    Owner before = owners[number];
    if (before != null) {
      before.lose();
    }
    owners[number] = owner;
    return number;
  }
}
