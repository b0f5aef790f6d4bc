package io.galop.persist.cold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a user is told what is wrong with the directory of SQLite's library, and what to do. */
class SqliteLibraryTest {
  private static final Exception OF_DRIVER = new Exception("No native library found");

  @TempDir private Path directory;

  @Test
  void aDirectoryThatCannotBeWrittenIsNamed() {
    String said = SqliteLibrary.fault(directory.resolve("none"), OF_DRIVER);
    assertTrue(said.startsWith("SQLite's library cannot be unpacked into " + directory), said);
    assertTrue(said.endsWith("name another directory with -Djava.io.tmpdir=DIRECTORY"), said);
  }

  @Test
  void soIsOneThatForbidsToRunWhatIsInIt() throws Exception {
    String said = SqliteLibrary.fault(directory, OF_DRIVER);
    assertTrue(said.startsWith("SQLite's library cannot be loaded from " + directory), said);
    assertTrue(said.contains("(No native library found); if that is mounted noexec"), said);
    try (var left = Files.list(directory)) {
      assertEquals(0, left.count(), "what was tried is gone");
    }
  }
}
