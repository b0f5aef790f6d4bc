package io.galop.broadcast.ring;

import java.util.Arrays;

/**
 * The ascending numbers of one shard's records in the {@link Ring}: a queue with access by rank.
 */
final class SequenceIndex {
  private long[] numbers = new long[16];
  private int head;
  private int size;

  void add(long number) {
    if (size == numbers.length) {
      grow();
    }
    numbers[(head + size) & (numbers.length - 1)] = number;
    size++;
  }

  private void grow() {
    long[] larger = new long[numbers.length * 2];
    for (int i = 0; i < size; i++) {
      larger[i] = get(i);
    }
    numbers = larger;
    head = 0;
  }

  long get(int rank) {
    return numbers[(head + rank) & (numbers.length - 1)];
  }

  int size() {
    return size;
  }

  /** Removes the first number if it is the one given. */
  boolean removeFirst(long number) {
    if (size == 0 || get(0) != number) {
      return false;
    }
    head = (head + 1) & (numbers.length - 1);
    size--;
    return true;
  }

  void clear() {
    numbers = Arrays.copyOf(numbers, 16);
    head = 0;
    size = 0;
  }
}
