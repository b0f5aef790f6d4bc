package io.galop.loadtest.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All that one viewer was shown and told, in order. */
public final class Journal {
  /** What came. */
  public enum Kind {
    SHOWN,
    RESUMED,
    INCOMPLETE,
    LIVE,
    STALE,
    FRESH,
    ENDED
  }

  /**
   * One thing that came.
   *
   * @param atNs when
   * @param id of a record; of an end its reason; of what resumed the Positions that it answers
   * @param position of a record; else null
   * @param live with {@code live}: the Position of each shard; else null
   */
  public record Event(
      long atNs,
      Kind kind,
      @Nullable String id,
      @Nullable SeenPosition position,
      @Nullable Map<Integer, SeenPosition> live) {}

  private final String viewer;
  private final List<Event> events = new ArrayList<>();
  private final Set<String> shown = ConcurrentHashMap.newKeySet();

  public Journal(String viewer) {
    this.viewer = viewer;
  }

  public String viewer() {
    return viewer;
  }

  void shown(String id, SeenPosition position) {
    add(new Event(System.nanoTime(), Kind.SHOWN, id, position, null));
    shown.add(id);
  }

  void told(Kind kind, @Nullable String reason) {
    add(new Event(System.nanoTime(), kind, reason, null, null));
  }

  void live(Map<Integer, SeenPosition> positions) {
    add(new Event(System.nanoTime(), Kind.LIVE, null, null, Map.copyOf(positions)));
  }

  public synchronized void add(Event event) {
    events.add(event);
  }

  /** The same without what was shown of other records. */
  Journal about(Set<String> ids) {
    Journal some = new Journal(viewer);
    events().stream()
        .filter(event -> event.kind() != Kind.SHOWN || ids.contains(event.id()))
        .forEach(some::add);
    return some;
  }

  /** Whether a record was ever shown. */
  boolean hasShown(String id) {
    return shown.contains(id);
  }

  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** The newest word, or that there was none. */
  synchronized String last() {
    for (int i = events.size() - 1; i >= 0; i--) {
      Event event = events.get(i);
      if (event.kind() != Kind.SHOWN) {
        return event.kind() + (event.kind() == Kind.ENDED ? " " + event.id() : "");
      }
    }
    return "nothing";
  }

  synchronized long count(Kind kind) {
    return events.stream().filter(event -> event.kind() == kind).count();
  }
}
