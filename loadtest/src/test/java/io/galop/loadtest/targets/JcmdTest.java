package io.galop.loadtest.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
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
}
