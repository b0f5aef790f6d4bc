package io.galop.bus;

/**
 * Asks a node for the records that it keeps.
 *
 * @param filter topic or filter
 * @param fromUs first event time, inclusive
 * @param toUs last event time, inclusive
 * @param limit most records wanted from now on, over all pages
 * @param newestFirst order by (time, id): descending instead of ascending
 * @param next of the page before; empty for the first
 */
public record HistoryQuery(
    String filter, long fromUs, long toUs, int limit, boolean newestFirst, String next) {
  /** The same for a part of the time. */
  public HistoryQuery within(long firstUs, long lastUs) {
    return new HistoryQuery(filter, firstUs, lastUs, limit, newestFirst, next);
  }
}
