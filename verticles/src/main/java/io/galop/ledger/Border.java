package io.galop.ledger;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A border between two stages: what came to it, and what became of it. The first column is what
 * came, the others add up to it; one with a plus came beside it. {@code waiting} and {@code open}
 * are differences: what began to wait less what no longer does, so that they may be below 0.
 */
public enum Border {
  /**
   * Records that a door took, of a shard: acknowledged, rejected by reason, or sent and not
   * answered. What is no record, and so of no shard, is counted by reason in the door's own meters
   * only.
   */
  DOOR(
      "door",
      "taken",
      "accepted",
      "rejectedTopicNotAllowed",
      "rejectedOverQuota",
      "rejectedUnavailable",
      "waiting"),
  /**
   * Records that enrichment took, of the shard of the raw topic: handed on, dropped by a step, dead
   * letters, known already, left to be sent again, or still at a step. Derived ones were made
   * beside.
   */
  ENRICH(
      "enrich",
      "in",
      "+derived",
      "out",
      "dropped",
      "deadLetters",
      "duplicates",
      "notEnriched",
      "waiting"),
  /** Records that an owner placed, and that its Log wrote. */
  OWNER("owner", "placed", "logged"),
  /**
   * Records of which the Log said that they are on disk, and those that its writer had forced to
   * disk by then: what is confirmed earlier is lost with a power cut.
   */
  LOG("log", "confirmed", "onDisk"),
  /**
   * Records that a store's sink read: stored, left out by sampling, made dead letters, on their
   * way, or to be read again since the sink began anew.
   */
  STORE("store", "read", "stored", "heldBack", "deadLetters", "waiting", "readAgain"),
  /**
   * Records that a store's cursor has passed as stored, and those for which the store had answered
   * by then: what is passed earlier is not read again after a kill.
   */
  CURSOR("cursor", "passed", "answered"),
  /** Records that owners say they sent to this node: in its ring, or known to it already. */
  FEED("feed", "sent", "fed", "known");

  /** The column of what came. */
  public static final int IN = 0;

  private final String word;
  private final List<String> columns;
  private final List<Boolean> areIn;

  Border(String word, String... columns) {
    this.word = word;
    this.columns = Arrays.stream(columns).map(one -> one.replace("+", "")).toList();
    this.areIn =
        IntStream.range(0, columns.length)
            .mapToObj(i -> i == IN || columns[i].startsWith("+"))
            .toList();
  }

  /** The one of a word. */
  public static Border of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst().orElseThrow();
  }

  /** The word in answers. */
  public String word() {
    return word;
  }

  /** Their words; what came is the first. */
  public List<String> columns() {
    return columns;
  }

  /** The number of a column. */
  public int column(String name) {
    int column = columns.indexOf(name);
    if (column < 0) {
      throw new IllegalArgumentException(name + " is no column of " + word);
    }
    return column;
  }

  /** Whether a column is of what came, and not of what became of it. */
  boolean isIn(int column) {
    return areIn.get(column);
  }

  /** What a Book holds for a shard: its columns, and what is not answered yet. */
  int width() {
    return columns.size() + 1;
  }
}
