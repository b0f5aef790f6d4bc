package io.galop.broadcast.hub;

import java.util.Collection;
import java.util.List;

/**
 * A viewer that was not sent all that its registrations meant.
 *
 * @param address where it is connected from; empty of who has none
 * @param filters some of what it has registered
 * @param dropped how many records it was not sent; 0: it came back too late to be sent all, and
 *     nobody knows how many
 */
public record ViewerLoss(String address, List<String> filters, long dropped) {
  /** So many filters say enough of a viewer. */
  public static final int FILTERS = 5;

  public ViewerLoss {
    filters = List.copyOf(filters);
  }

  static ViewerLoss of(String address, Collection<Registration> registrations, long dropped) {
    return new ViewerLoss(address, filters(registrations), dropped);
  }

  /** Some of what a viewer has registered. */
  public static List<String> filters(Collection<Registration> registrations) {
    return registrations.stream().limit(FILTERS).map(each -> each.filter().toString()).toList();
  }
}
