package io.galop.ingest.kafka;

import io.galop.ingest.intake.Collected;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Rejections;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One attempt at the open messages of a chunk: filled by the thread of the source, then handed to
 * the event loop, and looked at by the thread again when it comes back. A message's line is its
 * number in the chunk and one.
 */
final class KafkaAttempt {
  private final KafkaChunk chunk;
  private final Rejections rejections = new Rejections(Integer.MAX_VALUE);
  private final Collected collected;
  private final List<Record> letters = new ArrayList<>();
  private final BitSet lettered = new BitSet();
  private boolean areLettersKept = true;

  KafkaAttempt(KafkaChunk chunk, DoorMeters meters) {
    this.chunk = chunk;
    this.collected = new Collected(meters, rejections);
  }

  KafkaChunk chunk() {
    return chunk;
  }

  Collected collected() {
    return collected;
  }

  Rejections rejections() {
    return rejections;
  }

  /** A message is bad, and this is its dead letter. */
  void letter(int number, Record letter) {
    letters.add(letter);
    lettered.set(number);
  }

  List<Record> letters() {
    return letters;
  }

  void onLettersLost() {
    areLettersKept = false;
  }

  /** Which messages have to be handed on again: nothing is wrong with them, or their letter. */
  BitSet again() {
    BitSet again = new BitSet();
    rejections.listed().stream()
        .filter(Rejection::isTemporary)
        .forEach(rejection -> again.set(rejection.line() - 1));
    if (!areLettersKept) {
      again.or(lettered);
    }
    return again;
  }
}
