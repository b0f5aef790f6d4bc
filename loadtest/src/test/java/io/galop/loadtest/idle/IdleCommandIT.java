package io.galop.loadtest.idle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A few connections, of which no figure says anything but that there is one. */
@Timeout(180)
class IdleCommandIT {
  @Test
  void saysWhatAConnectionTakesAndFailsIfThatIsTooMuch() throws Exception {
    Tool.Ended ended =
        Tool.run(
            List.of(
                "idle",
                "--start",
                Tool.galopJar(),
                "--connections",
                "20",
                "--before",
                "5",
                "--settle-seconds",
                "0",
                "--at-most",
                "-1000000000"));
    assertEquals(1, ended.exit(), ended.text());
    assertTrue(ended.text().contains("\"bytesPerConnection\""), ended.text());
    assertTrue(ended.text().contains("\"lost\" : 0"), ended.text());
    assertTrue(ended.text().contains("\"inCloseWait\" : 0"), ended.text());
  }
}
