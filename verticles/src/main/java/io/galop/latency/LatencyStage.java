package io.galop.latency;

import java.util.Locale;

/** Where it is looked at how long ago the door read a record. */
public enum LatencyStage {
  /** The owner has given it its Position. */
  PLACED,
  /** The owner's Log has it on disk. */
  LOGGED,
  /** A broadcast node has it. */
  FED,
  /** It has left the process for a browser. */
  SOCKET,
  /** A browser says that it is on the screen. */
  SCREEN;

  /** As in metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
