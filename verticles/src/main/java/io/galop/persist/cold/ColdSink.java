package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import io.galop.persist.log.Log;
import io.micrometer.core.instrument.MeterRegistry;

/** Follows the Log and stores what it finds, on a thread of its own; retries for ever. */
public final class ColdSink implements AutoCloseable {
  private ColdSink() {}

  /** Takes its cursor in the Log and starts. Blocking for a moment, to read the store's cursor. */
  public static ColdSink start(Log log, ColdStore store, ColdConfig config, MeterRegistry meters)
      throws ColdException {
    throw new UnsupportedOperationException();
  }

  /** Stops after what is being stored; the rest is stored after the next start. Blocking. */
  @Override
  public void close() {}
}
