package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is written anew stays what it was but for its text. */
class ReplacedFileTest {
  @TempDir Path directory;

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void whoMayReadItAndWhereALinkLeadsStaysSo() throws IOException {
    Path real = Files.createDirectory(directory.resolve("elsewhere")).resolve("s.js");
    Files.writeString(real, "old");
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("s.js"), real);
    ReplacedFile.write(link, "new");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(real));
    assertEquals("rw-r-----", permissions(real));
    try (Stream<Path> files = Files.list(real.getParent())) {
      assertEquals(1, files.count(), "nothing is left over");
    }
  }

  @Test
  void aNewOneIsAsAnyOtherThatTheNodeWrites() throws IOException {
    Path other = Files.writeString(directory.resolve("other"), "");
    Path file = directory.resolve("s.js");
    ReplacedFile.write(file, "new");
    assertEquals(permissions(other), permissions(file));
  }
}
