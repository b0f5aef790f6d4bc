package io.galop.ingest.simulation;

/** What a race goes through, in this order. */
enum Phase {
  OPEN,
  SUSPENDED,
  IN_PLAY,
  CLOSED
}
