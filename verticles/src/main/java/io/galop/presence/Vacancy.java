package io.galop.presence;

/**
 * Whether nobody has watched for so long that it counts: somebody who loads a page anew is no
 * reason to stop and begin again. Immutable.
 *
 * @param neededNanos when somebody watched last, or may have, as of {@link System#nanoTime}
 */
public record Vacancy(long neededNanos, boolean isVacant) {
  /** Nobody knows yet. */
  public static Vacancy unknown(long nowNanos) {
    return new Vacancy(nowNanos, false);
  }

  /**
   * After another look.
   *
   * @param isPartial there may be viewers that are not counted: on doubt somebody watches
   * @param afterNanos how long nobody must have watched
   */
  public Vacancy next(long viewers, boolean isPartial, long nowNanos, long afterNanos) {
    return viewers > 0 || isPartial
        ? new Vacancy(nowNanos, false)
        : new Vacancy(neededNanos, nowNanos - neededNanos >= afterNanos);
  }
}
