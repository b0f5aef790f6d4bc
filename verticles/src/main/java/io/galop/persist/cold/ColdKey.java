package io.galop.persist.cold;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The place of a record in the order of a query: by event time, then by the UTF-8 bytes of the id.
 */
public record ColdKey(long timeUs, String id) implements Comparable<ColdKey> {
  @Override
  public int compareTo(ColdKey other) {
    int byTime = Long.compare(timeUs, other.timeUs);
    return byTime != 0 ? byTime : Arrays.compareUnsigned(bytes(id), bytes(other.id));
  }

  private static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }
}
