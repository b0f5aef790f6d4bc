package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** By hand; what the node's own encoder writes is read by DeltaClientsTest of the product. */
class DeltasTest {
  private static final String OPENING = "{\"type\":\"rec\",\"address\":\"f\",\"body\":";
  private final Deltas deltas = new Deltas();

  private String lost(String text) {
    return assertThrows(Deltas.Lost.class, () -> deltas.read(text)).address;
  }

  @Test
  void readsWhatIsDifferentToTheLast() throws Exception {
    assertEquals(OPENING + "{\"a\":1}}", deltas.read("AB" + OPENING + "{\"a\":1}}"));
    assertEquals(OPENING + "{\"a\":2}}", deltas.read("ABIFC2"));
    assertEquals(OPENING + "{\"a\":3}}", deltas.read("ABIFC3"), "the result is the next base");
    assertEquals("{\"type\":\"pong\"}", deltas.read("{\"type\":\"pong\"}"));
  }

  @Test
  void isLostWithoutABaseOrAtAnotherLength() throws Exception {
    assertEquals("", lost("ABIFC2"));
    deltas.read("AB" + OPENING + "{\"a\":1}}");
    assertEquals("f", lost("ACIFC2"), "another topic");
    assertEquals("f", lost("ABHFC2"), "another length");
    for (String wrong :
        new String[] {"", "AB", "ABI", "ABI-", "ABI________", "ABIF_2", "ABIFCé", "{"}) {
      try {
        deltas.read(wrong);
      } catch (Deltas.Lost told) {
        // said so
      }
    }
    deltas.forget("f");
    assertEquals("", lost("ABIFC2"));
  }
}
