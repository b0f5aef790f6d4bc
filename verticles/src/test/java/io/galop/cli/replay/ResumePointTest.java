package io.galop.cli.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.cli.CliFailure;
import io.galop.cli.replay.ResumePoint.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumePointTest {
  private static final Subject SUBJECT = new Subject("abc", "", "odds/raw", "127.0.0.1:7700");
  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = dir.resolve("deep").resolve("down.json");
  }

  @Test
  void remembersTheLine() throws IOException {
    new ResumePoint(file, SUBJECT).save(17, false);
    assertEquals(17, new ResumePoint(file, SUBJECT).load());
    assertEquals(List.of(file), Files.list(file.getParent()).toList());
  }

  @Test
  void nothingSavedIsTheBeginning() throws IOException {
    assertEquals(0, new ResumePoint(file, SUBJECT).load());
  }

  @Test
  void aCompleteReplayBeginsAnew() throws IOException {
    ResumePoint point = new ResumePoint(file, SUBJECT);
    point.save(17, false);
    point.save(17, true);
    assertEquals(0, new ResumePoint(file, SUBJECT).load());
  }

  @Test
  void thePointOfAnotherFileOrTopicIsNone() throws IOException {
    new ResumePoint(file, SUBJECT).save(17, false);
    assertEquals(0, new ResumePoint(file, new Subject("abd", "", "odds/raw", "")).load());
    assertEquals(0, new ResumePoint(file, new Subject("abc", "", "odds", "")).load());
    assertEquals(0, new ResumePoint(file, new Subject("abc", "again-", "odds/raw", "")).load());
  }

  @Test
  void aFileThatIsNoResumePointIsRefused() throws IOException {
    Path other = Files.writeString(dir.resolve("other.json"), "not json");
    assertThrows(CliFailure.class, () -> new ResumePoint(other, SUBJECT).load());
  }

  @Test
  void theUsualFileDependsOnAllThatMatters() {
    Path usual = ResumePoint.usualFile(SUBJECT, "/state", "/home/jo");
    Path elsewhere =
        ResumePoint.usualFile(new Subject("abc", "", "odds/raw", "b:7700"), "/state", "/home/jo");
    assertEquals(Path.of("/state/galop/replay"), usual.getParent());
    assertNotEquals(usual, elsewhere);
    assertEquals(
        Path.of("/home/jo/.local/state/galop/replay"),
        ResumePoint.usualFile(SUBJECT, "", "/home/jo").getParent());
  }
}
