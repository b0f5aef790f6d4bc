package io.galop.ledger;

import java.util.List;
import java.util.Optional;

/**
 * A minute that is told.
 *
 * @param startMs when it began, milliseconds since the epoch
 * @param unsettled why not all of it is known; empty if it is
 * @param lines of the stages at which anything was counted
 */
public record ClosedMinute(long startMs, Optional<String> unsettled, List<Line> lines) {
  /** The most shards that are named of one stage. */
  static final int MOST_NAMED = 64;

  public ClosedMinute {
    lines = List.copyOf(lines);
  }

  /**
   * What a stage counted.
   *
   * @param stage the border and of what, as {@code store redis}
   * @param sums of all shards, by the columns of the border
   * @param lost records that came and of which nothing became
   * @param doubled records of which more became than came
   * @param residuals of the shards that do not balance, {@value #MOST_NAMED} at most
   */
  public record Line(
      String stage,
      Border border,
      List<Long> sums,
      long lost,
      long doubled,
      List<Residual> residuals) {
    public Line {
      sums = List.copyOf(sums);
      residuals = List.copyOf(residuals);
    }
  }

  /**
   * What is left of a shard when all is set against each other.
   *
   * @param records lost if above 0, doubled if below
   */
  public record Residual(int shard, long records) {}

  /** Whether all of it is known. */
  public boolean isSettled() {
    return unsettled.isEmpty();
  }

  /** Records lost or doubled at any stage; 0 while it is not settled. */
  public long residual() {
    return isSettled() ? lines.stream().mapToLong(line -> line.lost() + line.doubled()).sum() : 0;
  }
}
