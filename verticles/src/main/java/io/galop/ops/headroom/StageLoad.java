package io.galop.ops.headroom;

/**
 * How much of a stage was used in one interval, by three measures; 0 is nothing, 1 all. What does
 * not apply is 0.
 *
 * @param busy part of its time that its busiest thread worked
 * @param queue part of its bound that what waits there fills
 * @param late how long a record waits, as part of {@link LoadedStage#borneMs}
 */
public record StageLoad(double busy, double queue, double late) {
  /** Idle. */
  public static final StageLoad NONE = new StageLoad(0, 0, 0);

  /** Brings each within 0 and 1; what is no number is nothing. */
  public StageLoad {
    busy = within(busy);
    queue = within(queue);
    late = within(late);
  }

  private static double within(double part) {
    return Double.isNaN(part) ? 0 : Math.max(0, Math.min(1, part));
  }

  static StageLoad busy(double part) {
    return new StageLoad(part, 0, 0);
  }
}
