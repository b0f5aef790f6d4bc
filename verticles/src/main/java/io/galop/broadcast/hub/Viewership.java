package io.galop.broadcast.hub;

import io.galop.record.TopicFilter;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** How many viewers of one event loop watch something of a filter. On that loop. */
final class Viewership {
  private Viewership() {}

  /**
   * A viewer counts once, however many of its registrations are meant. Where these are of one
   * filter, as most often, nobody is looked at; else each registration once.
   *
   * @param groups of filters that may mean what is asked for
   * @param waiting registrations that wait for their answer, and are in no group yet
   * @param most from how many on there is no need to count further
   */
  static int count(
      TopicFilter asked, List<FilterGroup> groups, Collection<Registration> waiting, int most) {
    boolean isOneFilter = groups.stream().map(FilterGroup::filter).distinct().count() <= 1;
    if (isOneFilter && waiting.isEmpty()) {
      return groups.stream().mapToInt(FilterGroup::size).sum();
    }
    Set<RecordReceiver> viewers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Registration one : waiting) {
      if (one.filter().overlaps(asked)) {
        viewers.add(one.receiver());
      }
    }
    for (FilterGroup group : groups) {
      if (viewers.size() >= most) {
        break;
      }
      group.addReceiversTo(viewers);
    }
    return viewers.size();
  }
}
