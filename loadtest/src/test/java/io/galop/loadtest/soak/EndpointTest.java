package io.galop.loadtest.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EndpointTest {
  @Test
  void aUrlSaysWhereAndHow() {
    Endpoint plain = Endpoint.parse("http://127.0.0.1:8080/live/");
    assertEquals(8080, plain.address().getPort());
    assertEquals("/live", plain.base());
    Endpoint safe = Endpoint.parse("https://localhost");
    assertEquals(443, safe.address().getPort());
    assertTrue(safe.tls());
  }

  @Test
  void anythingElseIsNamed() {
    for (String wrong : new String[] {"ftp://x/live", "127.0.0.1:80", "not a url"}) {
      assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(wrong), wrong);
    }
  }
}
