package io.galop.scratch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ProcessDirectoryTest {
  @TempDir Path parent;

  /** Another process that has a directory until it is ended. */
  public static final class Other {
    private Other() {}

    public static void main(String[] args) throws Exception {
      Path own = ProcessDirectory.open(Path.of(args[0])).directory();
      Files.createDirectories(own.resolve("deep/deeper"));
      Files.writeString(own.resolve("deep/deeper/file"), "left");
      System.out.println(own);
      System.in.read();
    }
  }

  private Process other() throws IOException {
    return other(parent);
  }

  private static Process other(Path parent) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Other.class.getName(),
            parent.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static Path directoryOf(Process other) {
    return Path.of(other.inputReader().lines().filter(l -> l.startsWith("/")).findFirst().get());
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.toList();
    }
  }

  @Test
  void whatAKilledProcessHasLeftGoesWhenTheNextOneBegins() throws Exception {
    Path foreign = Files.createDirectory(parent.resolve("galop-of-somebody"));
    Process other = other();
    try {
      Path theirs = directoryOf(other);
      ProcessDirectory first = ProcessDirectory.open(parent);
      assertTrue(Files.exists(theirs.resolve("deep/deeper/file")), "they are alive");
      other.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      ProcessDirectory second = ProcessDirectory.open(parent);
      assertFalse(Files.exists(theirs));
      assertTrue(Files.exists(first.directory()) && Files.exists(second.directory()));
      first.close();
      second.close();
      assertEquals(List.of(foreign), left());
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void directoriesInItMayBeDeletedBeforeItEnds() throws Exception {
    Path one = ProcessDirectory.newDirectory("one-");
    assertEquals(ProcessDirectory.path(), one.getParent());
    Files.writeString(one.resolve("file"), "x");
    ProcessDirectory.delete(one);
    ProcessDirectory.delete(one);
    assertFalse(Files.exists(one));
  }

  /** As services do that tidy up the system's temporary files, by the age of each. */
  @Test
  void whatSomebodyDeletesUnderANodeIsMadeAgain() throws Exception {
    Path before = ProcessDirectory.newDirectory("before-").getParent();
    ProcessDirectory.delete(before);
    assertIsOurs(ProcessDirectory.newDirectory("after-"));
    Path kept = ProcessDirectory.newDirectory("kept-");
    Files.delete(kept.resolveSibling("lock"));
    Path next = ProcessDirectory.newDirectory("next-");
    assertEquals(kept.getParent(), next.getParent(), "what is in it is still in use");
    assertIsOurs(next);
  }

  /** Another process that begins leaves it alone. */
  private static void assertIsOurs(Path one) throws Exception {
    Process other = other(one.getParent().getParent());
    try {
      Path theirs = directoryOf(other);
      assertTrue(Files.exists(one));
      ProcessDirectory.delete(theirs);
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void whatHasNoLockGoesWhenItIsOld() throws Exception {
    Path fresh = Files.createDirectory(parent.resolve("galop-process-fresh"));
    Path old = Files.createDirectory(parent.resolve("galop-process-old"));
    Files.writeString(old.resolve("file"), "left");
    Instant then = Instant.now().minus(Duration.ofHours(25));
    Files.setLastModifiedTime(old, FileTime.from(then));
    ProcessDirectory.open(parent).close();
    assertEquals(List.of(fresh), left());
  }
}
