package io.galop.persist.rollup;

/**
 * Whole buckets that follow each other, in microseconds since 1970.
 *
 * @param endUs behind the last
 */
record Span(long beginUs, long endUs, long everyUs) {
  int buckets() {
    return (int) ((endUs - beginUs) / everyUs);
  }

  /** The number of the bucket that a time is in, if it is in any. */
  int bucket(long timeUs) {
    return (int) Math.floorDiv(timeUs - beginUs, everyUs);
  }
}
