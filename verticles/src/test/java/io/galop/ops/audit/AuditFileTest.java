package io.galop.ops.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.AuditConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  private static final int LINE = 99;
  @TempDir Path directory;

  private AuditFile file(int files) {
    return new AuditFile(directory.resolve("deep/audit.log"), new AuditConfig(1_000, files));
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(directory.resolve("deep").resolve(name));
  }

  @Test
  void theOldestGoesWhenTheFilesAreFull() throws Exception {
    AuditFile file = file(2);
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      String line = "%0" + LINE + "d";
      written.add(line.formatted(i));
      file.append(written.get(i));
    }
    assertEquals(written.subList(40, 45), lines("audit.log"));
    assertEquals(written.subList(30, 40), lines("audit.log.1"));
    assertEquals(written.subList(20, 30), lines("audit.log.2"));
    assertFalse(Files.exists(directory.resolve("deep/audit.log.3")));
    Path log = directory.resolve("deep/audit.log");
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
  }

  @Test
  void aLineThatACrashCutOffDoesNotSpoilTheNext() throws Exception {
    AuditFile file = file(1);
    file.append("a");
    Files.writeString(directory.resolve("deep/audit.log"), "a\n{\"cut");
    file.append("b");
    assertEquals(List.of("a", "{\"cut", "b"), lines("audit.log"));
  }

  @Test
  void whoMovesTheFileAwayHasTheLinesBefore() throws Exception {
    AuditFile file = file(1);
    file.append("a");
    Files.move(directory.resolve("deep/audit.log"), directory.resolve("deep/mine"));
    file.append("b");
    assertEquals(List.of("a"), lines("mine"));
    assertEquals(List.of("b"), lines("audit.log"));
  }

  @Test
  void aFullDiskIsTold() throws Exception {
    Files.createDirectory(directory.resolve("deep"));
    Files.createSymbolicLink(directory.resolve("deep/audit.log"), Path.of("/dev/full"));
    IOException full = assertThrows(IOException.class, () -> file(1).append("a"));
    assertTrue(full.getMessage().contains("No space left"), full.toString());
  }
}
