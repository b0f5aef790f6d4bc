package io.galop.ledger;

import java.util.function.LongSupplier;

/** Minutes of a clock that a test of another package moves. */
public final class TestLedger {
  private TestLedger() {}

  /** Minutes of 60 seconds by that clock, in milliseconds. */
  public static NodeLedger of(LongSupplier clockMs) {
    return new NodeLedger(60_000, clockMs);
  }
}
