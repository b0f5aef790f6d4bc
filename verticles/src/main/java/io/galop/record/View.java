package io.galop.record;

import java.util.Set;

/**
 * What of records a viewer is shown, by its token. Viewers whose views leave the same fields are
 * sent the same bytes.
 *
 * @param maxRate most records of a topic per second; 0 is unlimited
 * @param maxBytesPerSecond most bytes of records per second for a live connection; 0 is unlimited
 * @param omit the names of the fields of {@code data} that are left out
 */
public record View(double maxRate, long maxBytesPerSecond, Set<String> omit) {
  /** Every record with all of its fields. */
  public static final View WHOLE = new View(0, 0, Set.of());

  public View {
    omit = Set.copyOf(omit);
  }

  /** Whether the viewer is shown fewer records than there are. */
  public boolean isPaced() {
    return maxRate > 0;
  }
}
