package io.galop.loadtest.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JcmdTest {
  @Test
  void everyJdkSaysItInItsOwnWay() throws IOException {
    assertEquals(5 << 10, Jcmd.used(" garbage-first heap   total 262144K, used 5K [0x0,"));
    assertEquals(
        7 << 10, Jcmd.used("garbage-first heap total reserved 9K, committed 8K, used 7K [0x0"));
    assertEquals(3 << 20, Jcmd.used(" ZHeap           used 3M, capacity 10M, max capacity 20M"));
    assertThrows(IOException.class, () -> Jcmd.used("no such process"));
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
