package io.galop.ops.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.node.Acts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in a line of the audit log. */
class AuditLineTest {
  private static String written(String id) {
    Acts.Act act = new Acts.Act("process", "acknowledge", Map.of("order", id), "done");
    return AuditLine.of(act).json().getJsonObject("parameters").getString("order");
  }

  @Test
  void longTextsOfTheSameBeginningAreToldApart() {
    String begin = "x".repeat(256);
    assertEquals(begin, written(begin));
    String one = written(begin + "1");
    assertTrue(one.matches("x{256}… sha256:[0-9a-f]{16}"), one);
    assertEquals(one, written(begin + "1"));
    assertNotEquals(one, written(begin + "2"));
  }
}
