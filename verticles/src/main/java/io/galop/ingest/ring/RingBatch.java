package io.galop.ingest.ring;

import io.galop.ingest.intake.Collected;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Rejections;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** What was read from a ring at once. Filled and looked at by the ring's thread. */
final class RingBatch {
  private final Rejections rejections = new Rejections(Integer.MAX_VALUE);
  private final Collected collected;
  private long[] sequences = new long[64];
  private int[] places = new int[64];
  private int size;
  private long end;
  private final int reading;
  private boolean passedOver;
  private volatile boolean done;

  /**
   * An empty one.
   *
   * @param reading which time since the start that the ring is read from the first unsettled record
   */
  RingBatch(DoorMeters meters, int reading) {
    this.reading = reading;
    this.collected = new Collected(meters, rejections);
  }

  /**
   * Takes note of the next message; its line, from 1.
   *
   * @param place where it stands in the ring: nothing else does before it is settled
   */
  int next(long sequence, int place) {
    if (size == sequences.length) {
      sequences = Arrays.copyOf(sequences, size * 2);
      places = Arrays.copyOf(places, size * 2);
    }
    places[size] = place;
    sequences[size++] = sequence;
    return size;
  }

  Collected collected() {
    return collected;
  }

  Rejections rejections() {
    return rejections;
  }

  /** The batch ends there in the ring. */
  void end(long position) {
    end = position;
  }

  long end() {
    return end;
  }

  /** Everything is acknowledged or refused; called by the event loop. */
  void settled() {
    done = true;
  }

  /** It was not handed on, because something before it is to be read again. */
  void passedOver() {
    passedOver = true;
    done = true;
  }

  int reading() {
    return reading;
  }

  boolean isDone() {
    return done;
  }

  /** Whether something was refused that may be taken later, so that it stays in the ring. */
  boolean mustBeReadAgain() {
    return passedOver || rejections.has(Reason.UNAVAILABLE) || rejections.has(Reason.OVER_QUOTA);
  }

  /** Of a batch that must be read again: where the messages stand that need not be. */
  List<Integer> placesDone() {
    if (passedOver) {
      return List.of();
    }
    BitSet again = new BitSet(size + 1);
    rejections.listed().stream()
        .filter(RingBatch::isForNow)
        .forEach(rejection -> again.set(rejection.line()));
    return IntStream.rangeClosed(1, size)
        .filter(line -> !again.get(line))
        .mapToObj(line -> places[line - 1])
        .toList();
  }

  /** Where all of its messages stand. */
  IntStream places() {
    return IntStream.of(places).limit(size);
  }

  private static boolean isForNow(Rejection rejection) {
    return rejection.isTemporary();
  }

  long sequence(int line) {
    return sequences[line - 1];
  }

  long lastSequence() {
    return sequences[size - 1];
  }

  /** What is refused for good. */
  List<Rejection> rejected() {
    return passedOver
        ? List.of()
        : rejections.listed().stream().filter(rejection -> !isForNow(rejection)).toList();
  }
}
