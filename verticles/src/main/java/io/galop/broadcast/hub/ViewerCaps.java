package io.galop.broadcast.hub;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the caps of a node mean for the registrations of one connection. On the Hub's event loop.
 */
final class ViewerCaps {
  private Caps caps = new Caps(List.of());

  /** Of those that some cap concerns. */
  private final Map<Registration, List<Cap>> concerned = new HashMap<>();

  private final Map<Double, TopicPace> byRate = new HashMap<>();

  /**
   * Other caps hold from now on.
   *
   * @return the registrations for which that changes something
   */
  List<Registration> change(Caps others, Collection<Registration> registrations) {
    caps = others;
    byRate.keySet().removeIf(rate -> !others.hasRate(rate));
    List<Registration> changed = new ArrayList<>();
    for (Registration registration : registrations) {
      List<Cap> before = of(registration);
      begin(registration);
      if (!before.equals(of(registration))) {
        changed.add(registration);
      }
    }
    return changed;
  }

  void begin(Registration registration) {
    List<Cap> over = caps.over(registration.filter());
    if (over.isEmpty()) {
      concerned.remove(registration);
    } else {
      concerned.put(registration, over);
    }
  }

  void end(Registration registration) {
    concerned.remove(registration);
  }

  /** Those that concern a registration. */
  List<Cap> of(Registration registration) {
    return concerned.getOrDefault(registration, List.of());
  }

  /** Most bytes of a registration's records per second; 0 is unlimited. */
  long bytesPerSecond(Registration registration) {
    long least = 0;
    for (Cap cap : of(registration)) {
      long bytes = cap.maxBytesPerSecond();
      least = bytes > 0 && (least == 0 || bytes < least) ? bytes : least;
    }
    return least;
  }

  /** How often a registration may be sent each topic; null: as often as it likes. */
  @Nullable CapPace pace(Registration registration) {
    List<Cap> over = of(registration);
    return over.stream().anyMatch(cap -> cap.maxRate() > 0)
        ? new CapPace(() -> caps, over, byRate, registration.filter().hashCode())
        : null;
  }
}
