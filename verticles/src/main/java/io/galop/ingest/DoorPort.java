package io.galop.ingest;

/** The port that a door's listeners share over all event loops of a node. */
final class DoorPort {
  private DoorPort() {}

  /**
   * What to listen on: Vert.x gives all that ask for the same negative port the same free one, but
   * each that asks for 0 another one.
   *
   * @param usual another number for each door
   */
  static int toListenOn(int configured, int usual) {
    return configured == 0 ? -usual : configured;
  }

  /** Why a door cannot listen, and what to set. */
  static IllegalStateException taken(String door, int port, Throwable failure) {
    String key = "ingest." + door;
    String sentence =
        "cannot listen on port %d: %s; set %s.port to a free one, or %s.enabled to false";
    return new IllegalStateException(
        key + ": " + sentence.formatted(port, failure.getMessage(), key, key), failure);
  }
}
