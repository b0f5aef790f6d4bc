package io.galop.broadcast.hub;

/**
 * How often a registration is sent its records. Those of a connection that limit their bytes have
 * the least of that together.
 *
 * @param latest whether only the newest value of each topic matters while the connection is behind
 * @param maxRate most records per second and topic; 0 is unlimited
 * @param maxBytesPerSecond most bytes of records per second for all registrations of the connection
 *     that limit them; 0 is unlimited
 */
public record Pacing(boolean latest, double maxRate, long maxBytesPerSecond) {
  /** Every record as it comes. */
  public static final Pacing EVERY = new Pacing(false, 0, 0);

  /** The same at another rate; 0 is unlimited. */
  public Pacing at(double rate) {
    return new Pacing(latest, rate, maxBytesPerSecond);
  }

  /** The same with another number of bytes; 0 is unlimited. */
  public Pacing within(long bytesPerSecond) {
    return new Pacing(latest, maxRate, bytesPerSecond);
  }

  /** Whether the newest value of a topic takes the place of one that waits. */
  boolean isConflating() {
    return latest || maxRate > 0 || maxBytesPerSecond > 0;
  }
}
