package io.galop.broadcast.hub;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * A viewer that was not sent all that its registrations meant, or not on that connection.
 *
 * @param viewer the id of its connection
 * @param address where it is connected from; empty of who has none
 * @param filters some of what it has registered
 * @param dropped how many records its connection was not sent; 0: it came back too late to be sent
 *     all, and nobody knows how many
 */
public record ViewerLoss(String viewer, String address, List<String> filters, long dropped) {
  /** So many filters say enough of a viewer. */
  public static final int FILTERS = 5;

  public ViewerLoss {
    filters = List.copyOf(filters);
  }

  /** A registration that came back cannot be sent all that it missed. */
  static ViewerLoss of(Registration late) {
    RecordReceiver viewer = late.receiver();
    List<String> filters = List.of(late.filter().toString());
    return new ViewerLoss(viewer.deliveries().whose().id(), viewer.address(), filters, 0);
  }

  /** A connection has ended with these registrations. */
  static ViewerLoss of(RecordReceiver viewer, Collection<Registration> registrations) {
    return new ViewerLoss(
        viewer.deliveries().whose().id(),
        viewer.address(),
        filters(registrations),
        viewer.deliveries().dropped());
  }

  /** The same viewer, of which one more thing is known. */
  ViewerLoss with(ViewerLoss other) {
    List<String> both =
        Stream.concat(filters.stream(), other.filters.stream()).distinct().limit(FILTERS).toList();
    return new ViewerLoss(viewer, address, both, dropped + other.dropped);
  }

  /** Some of what a viewer has registered. */
  public static List<String> filters(Collection<Registration> registrations) {
    return registrations.stream().limit(FILTERS).map(each -> each.filter().toString()).toList();
  }
}
