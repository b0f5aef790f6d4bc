package io.galop.broadcast.feed;

import io.galop.bus.Errand.Want;
import io.galop.record.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which filters the viewers of a relay watch, and what is said of it. A filter that nobody watches
 * any more is wanted for a while, since viewers come back. Beyond a number of filters, or of their
 * bytes, everything is wanted. Decides only; each call on one event loop.
 */
final class Interest {
  private final int maxFilters;
  private final int maxBytes;
  private final long holdNanos;
  private final Map<String, Watched> filters = new LinkedHashMap<>();
  private boolean isEverything;
  private boolean isTold;
  private long version;

  private static final class Watched {
    private final TopicFilter filter;
    private final int bytes;
    private int watching;
    private boolean isTold;
    private long leftNanos;

    Watched(TopicFilter filter) {
      this.filter = filter;
      this.bytes = filter.toString().getBytes(StandardCharsets.UTF_8).length + Short.BYTES;
    }
  }

  /**
   * What has changed.
   *
   * @param want to be said; empty: what was said before goes for this too
   * @param version of what is wanted now
   */
  record Change(
      Optional<Want> want, long version, List<TopicFilter> added, List<TopicFilter> dropped) {}

  Interest(int maxFilters, int maxBytes, long holdNanos) {
    this.maxFilters = maxFilters;
    this.maxBytes = maxBytes;
    this.holdNanos = holdNanos;
  }

  /** Somebody more watches a filter. */
  void watch(TopicFilter filter) {
    filters.computeIfAbsent(filter.toString(), text -> new Watched(filter)).watching++;
  }

  /** Somebody watches it no more. */
  void unwatch(TopicFilter filter, long nowNanos) {
    Watched watched = filters.get(filter.toString());
    if (watched != null && watched.watching > 0 && --watched.watching == 0) {
      watched.leftNanos = nowNanos;
    }
  }

  int size() {
    return filters.size();
  }

  boolean isEverything() {
    return isEverything;
  }

  /**
   * What has changed since this was asked last.
   *
   * @param isAllWanted whether everything is wanted for another reason
   */
  Optional<Change> next(long nowNanos, boolean isAllWanted) {
    List<TopicFilter> dropped = drop(nowNanos);
    List<TopicFilter> added = new ArrayList<>();
    long bytes = 0;
    for (Watched watched : filters.values()) {
      bytes += watched.bytes;
      if (!watched.isTold) {
        watched.isTold = true;
        added.add(watched.filter);
      }
    }
    boolean wasEverything = isEverything;
    isEverything = isAllWanted || isTooMuch(bytes);
    boolean isNews = !isTold || isEverything != wasEverything;
    if (!isNews && added.isEmpty() && dropped.isEmpty()) {
      return Optional.empty();
    }
    boolean isToTell = isNews || !isEverything;
    isTold = true;
    version += isToTell ? 1 : 0;
    return Optional.of(
        new Change(isToTell ? Optional.of(want()) : Optional.empty(), version, added, dropped));
  }

  /** It ends well below the bound, so that one filter does not switch it on and off. */
  private boolean isTooMuch(long bytes) {
    int size = filters.size();
    return isEverything
        ? size > maxFilters * 3 / 4 || bytes > maxBytes * 3 / 4
        : size > maxFilters || bytes > maxBytes;
  }

  private Want want() {
    return new Want(
        version, isEverything, isEverything ? List.of() : List.copyOf(filters.keySet()));
  }

  private List<TopicFilter> drop(long nowNanos) {
    List<TopicFilter> dropped = new ArrayList<>();
    boolean isMany = filters.size() > maxFilters; // whoever comes and goes must not fill it
    filters
        .values()
        .removeIf(
            watched -> {
              boolean isLong = nowNanos - watched.leftNanos >= holdNanos;
              boolean isOver = watched.watching == 0 && (isLong || isMany);
              if (isOver && watched.isTold) {
                dropped.add(watched.filter);
              }
              return isOver;
            });
    return dropped;
  }
}
