package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ScriptWatchdogTest {
  private static final long LIMIT_MS = 50;
  private static final long MUCH = Long.MAX_VALUE;

  @Test
  void aCallThatWaitsIsEndedAtItsLimit() throws Exception {
    try (ScriptWatchdog watchdog =
        new ScriptWatchdog("s", LIMIT_MS, MUCH, TimeUnit.HOURS.toMillis(1))) {
      CountDownLatch stopped = new CountDownLatch(1);
      watchdog.begin(stopped::countDown);
      assertTrue(stopped.await(120, TimeUnit.SECONDS));
      assertTrue(watchdog.end());
    }
  }

  @Test
  void aCallThatLoopsIsEndedWhenItHasHadItsTimeOfAProcessor() {
    try (ScriptWatchdog watchdog =
        new ScriptWatchdog("s", LIMIT_MS, MUCH, TimeUnit.HOURS.toMillis(1))) {
      CountDownLatch stopped = new CountDownLatch(1);
      watchdog.begin(stopped::countDown);
      while (stopped.getCount() > 0) {
        Thread.onSpinWait();
      }
      assertTrue(watchdog.end());
    }
  }

  /** A thread that waits for a connection counts as one that could run: nobody gives it a turn. */
  @Test
  void aCallThatGetsNoProcessorMayTakeLonger() throws Exception {
    try (ScriptWatchdog watchdog =
            new ScriptWatchdog("s", LIMIT_MS, MUCH, TimeUnit.HOURS.toMillis(1));
        ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CountDownLatch stopped = new CountDownLatch(1);
      Thread late = new Thread(() -> connectLater(nobody.getLocalPort()));
      watchdog.begin(stopped::countDown);
      late.start();
      nobody.accept().close();
      assertEquals(1, stopped.getCount());
      assertFalse(watchdog.end());
    }
  }

  @Test
  void butNotForEver() throws Exception {
    try (ScriptWatchdog watchdog = new ScriptWatchdog("s", LIMIT_MS, MUCH, 100);
        ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CountDownLatch stopped = new CountDownLatch(1);
      watchdog.begin(
          () -> {
            stopped.countDown();
            connect(nobody.getLocalPort());
          });
      nobody.accept().close();
      assertTrue(watchdog.end());
      assertEquals(0, stopped.getCount());
    }
  }

  private static void connectLater(int port) {
    try {
      TimeUnit.MILLISECONDS.sleep(20 * LIMIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connect(port);
  }

  private static void connect(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertTrue(socket.isConnected());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
