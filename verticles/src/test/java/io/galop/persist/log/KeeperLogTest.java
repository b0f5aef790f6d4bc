package io.galop.persist.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.jvm.OpenFiles;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeeperLogTest {
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final FileSystemException NO_FILE_LEFT =
      new FileSystemException("/data/log", null, "Too many open files");

  @Test
  void theLimitOfOpenFilesIsNamedOnceAMinute() {
    KeeperLog keeper = new KeeperLog(new OpenFiles(200));
    try (Logged log = new Logged(KeeperLog.class)) {
      for (int second = 0; second <= 60; second++) {
        keeper.failed(NO_FILE_LEFT, second * SECOND_NS);
      }
      String line =
          "ERROR maintenance of the Log failed; trying again: /data/log: Too many open files;"
              + " this process may have 200 files and sockets open: raise that (ulimit -n), or"
              + " connect fewer";
      assertEquals(List.of(line, line), log.with("ERROR"), "with no stack");
      keeper.failed(
          new FileSystemException("/data/log", null, "Permission denied"), 61 * SECOND_NS);
      assertTrue(log.with("ERROR").get(2).endsWith("/data/log: Permission denied"));
    }
  }

  @Test
  void aBugHasItsStack() {
    KeeperLog keeper = new KeeperLog(new OpenFiles(200));
    try (Logged log = new Logged(KeeperLog.class)) {
      keeper.failed(new IllegalStateException("bug"), 0);
      assertEquals(
          List.of("ERROR maintenance of the Log failed; trying again: bug"),
          log.with(""),
          "thrown");
    }
  }

  @Test
  void readsTheLimitOfThisProcess() {
    try (Logged log = new Logged(KeeperLog.class)) {
      KeeperLog.ofProcess().failed(NO_FILE_LEFT, 0);
      assertTrue(log.with("").get(0).matches(".*may have [1-9][0-9]* files.*"), "" + log.with(""));
    }
  }
}
