package io.galop.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StallsTest {
  private static final String DATE = "2026-01-02T03:04:05.678Z ";

  @Test
  void onlyWhatIsSaidOfAStallIsLeftOut() {
    String fault =
        DATE + "WARN  TcpServer   broken\njava.lang.Error: x\n\tat io.galop.X.x(X.java)\n";
    String blocked =
        DATE
            + "WARN  BlockedThreadChecker   Thread vert.x-eventloop-thread-0 has been blocked\n"
            + "io.vertx.core.VertxException: Thread blocked\n\tat java.base/java.lang.Y.y(Y.java)\n";
    String paused = DATE + "WARN  PersistVerticle   process paused for 8.2 s; re-checking\n";
    String ready = "galop 0.1.0 ready\n";
    assertEquals(
        ready + fault + fault,
        Stalls.without(ready + blocked + fault + paused + fault).stripTrailing() + "\n");
  }
}
