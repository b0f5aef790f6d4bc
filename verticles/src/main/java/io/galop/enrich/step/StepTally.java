package io.galop.enrich.step;

import io.galop.record.DeadLetterData;
import io.galop.record.Record;
import java.util.List;

/**
 * What steps say they made of the records of a list, to be set against what comes out of the chain:
 * a step tells of each record as it deals with it, and nobody counts the list that it returns. Used
 * by one thread at a time, handed on with the list.
 */
public final class StepTally {
  private static final String LETTERS = DeadLetterData.ROOT + '/';

  private long dropped;
  private long derived;
  private long deadLetters;

  /** What became of a record. */
  public void count(Record record, List<Record> outputs) {
    count(record, outputs, 0);
  }

  /**
   * What became of a record.
   *
   * @param to has it
   * @param from this place on
   */
  public void count(Record record, List<Record> to, int from) {
    int made = to.size() - from;
    dropped += made == 0 ? 1 : 0;
    derived += Math.max(0, made - 1);
    if (!isLetter(record)) {
      for (int i = from; i < to.size(); i++) {
        deadLetters += isLetter(to.get(i)) ? 1 : 0;
      }
    }
  }

  /** Dead letters took the place of so many records. */
  public void letters(long more) {
    deadLetters += more;
  }

  private static boolean isLetter(Record record) {
    return record.topic().startsWith(LETTERS);
  }

  /** Records of which nothing became. */
  public long dropped() {
    return dropped;
  }

  /** Records that were made beside the first one of a record. */
  public long derived() {
    return derived;
  }

  /** Records whose place a dead letter took. */
  public long deadLetters() {
    return deadLetters;
  }
}
