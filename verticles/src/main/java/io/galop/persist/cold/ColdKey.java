package io.galop.persist.cold;

/** The place of a record in the order of a query: by event time, then by id. */
public record ColdKey(long timeUs, String id) implements Comparable<ColdKey> {
  @Override
  public int compareTo(ColdKey other) {
    int byTime = Long.compare(timeUs, other.timeUs);
    return byTime != 0 ? byTime : id.compareTo(other.id);
  }
}
