package io.galop.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** A limit is crossed from one side, and by what is missing. */
class LimitTest {
  private final Limit.Reader reader = new Limit.Reader();

  @Test
  void isCrossedFromOneSide() {
    Limit above = reader.convert("p99Ms > 50");
    assertEquals(new Limit("p99Ms", true, 50), above);
    assertTrue(above.isCrossedBy(50.1));
    assertFalse(above.isCrossedBy(50.0));
    assertTrue(reader.convert("kneePerSecond<0.9").isCrossedBy(0.8));
    assertTrue(above.isCrossedBy(null));
    assertTrue(above.isCrossedBy(Double.NaN));
  }

  @Test
  void whatIsNoLimitIsRefused() {
    assertThrows(TypeConversionException.class, () -> reader.convert("p99Ms=5"));
    assertThrows(TypeConversionException.class, () -> reader.convert("p99Ms>much"));
  }
}
