package io.galop.ops.headroom;

import java.util.Locale;

/**
 * What can give way, in the order in which one of two that are used alike is named: the stages by
 * the words of the load test's knee, then what they share.
 */
public enum LoadedStage {
  DOOR(LoadedStage.BORNE_MS),
  ENRICH(LoadedStage.BORNE_MS),
  LOG(LoadedStage.BORNE_MS),
  BROADCAST(LoadedStage.BORNE_MS),
  /** As late as a sink may be before it warns. */
  STORES(30_000),
  /** Event loops, which doors, enrichment, owners and viewers share. */
  LOOPS(LoadedStage.BORNE_MS),
  /** What machine or container give to the process. */
  PROCESSORS(LoadedStage.BORNE_MS),
  /** The heap: what is live in it after a collection. */
  MEMORY(LoadedStage.BORNE_MS);

  /** As late as the alerts GalopDiskSlow and GalopEventLoopLate bear. */
  private static final int BORNE_MS = 250;

  private final int borneMs;

  LoadedStage(int borneMs) {
    this.borneMs = borneMs;
  }

  /** In answers, labels and sentences. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All of the stage is used when it is so late, in milliseconds. */
  public int borneMs() {
    return borneMs;
  }
}
