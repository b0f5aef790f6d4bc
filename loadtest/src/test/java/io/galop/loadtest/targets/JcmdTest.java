package io.galop.loadtest.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JcmdTest {
  @Test
  void whatIsLiveIsInTheLastLineOfAHistogram() throws IOException {
    String histogram =
        """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:        107498       67991520  [B (java.base@17.0.15)
        Total        458713       92614304
        """;
    assertEquals(92_614_304, Jcmd.total(histogram));
    assertThrows(IOException.class, () -> Jcmd.total("no such process"));
  }

  @Test
  void whatIsHeldIsLiveAndWhatIsDroppedIsNot() throws Exception {
    Jcmd own =
        new Jcmd(
            Path.of(System.getProperty("java.home"), "bin", "java"), ProcessHandle.current().pid());
    long before = own.liveBytes();
    byte[] held = new byte[64 << 20];
    long with = own.liveBytes();
    assertEquals(64 << 20, held.length);
    held = null;
    long after = own.liveBytes();
    assertTrue(with - before > 60 << 20, before + " then " + with);
    assertTrue(with - after > 60 << 20, with + " then " + after);
  }

  @Test
  void theKernelsNumbersOfThreadsAreReadInEitherForm() {
    String dump =
        """
        Full thread dump OpenJDK 64-Bit Server VM:

        "vert.x-eventloop-thread-0" #14 prio=5 os_prio=0 cpu=1.1ms nid=0x1f runnable  [0x00007f]
           java.lang.Thread.State: RUNNABLE
        "galop-history-0" #15 [4712] daemon prio=5 os_prio=0 nid=4712 waiting on condition
        """;
    assertEquals(
        Map.of("vert.x-eventloop-thread-0", 31L, "galop-history-0", 4_712L), Jcmd.threads(dump));
  }
}
