package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Position;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LetterFileTest {
  @TempDir Path directory;
  private Path path;
  private LetterFile file;

  @BeforeEach
  void open() {
    path = directory.resolve("dead-letters/mysql.ndjson");
    file = new LetterFile(path, 100);
  }

  private void append(long offset, String letter) throws IOException {
    file.append(new Position(1, 2, offset), letter.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void holdsLettersUpToItsBoundAndGoesOnWhenItIsMovedAway() throws Exception {
    assertEquals(0, file.bytes());
    String letter = "{\"n\":\"" + "x".repeat(33) + "\"}";
    append(1, letter);
    append(2, letter);
    IOException full = assertThrows(IOException.class, () -> append(3, letter));
    assertTrue(full.getMessage().contains("mysql.ndjson has 84 of 100 bytes"), full.getMessage());
    assertEquals(List.of(letter, letter), Files.readAllLines(path));
    append(4, "{\"n\":\"short\"}");
    assertEquals(98, file.bytes());
    Files.move(path, directory.resolve("elsewhere"));
    assertEquals(0, file.bytes());
    append(3, letter);
    assertEquals(List.of(letter), Files.readAllLines(path));
  }

  @Test
  void takesOneThatIsLargerThanTheWholeFile() throws Exception {
    append(1, "{\"n\":\"" + "x".repeat(200) + "\"}");
    assertEquals(209, file.bytes());
    assertThrows(IOException.class, () -> append(2, "{}"));
  }

  @Test
  void takesALetterOnceHoweverOftenItsSinkBeginsAgain() throws Exception {
    append(1, "{}");
    append(1, "{}");
    append(2, "{}");
    assertEquals(List.of("{}", "{}"), Files.readAllLines(path));
  }

  @Test
  void keepsItsLinesApartFromWhatAKillHasLeft() throws Exception {
    append(1, "{}");
    Files.writeString(path, "{\"n", StandardOpenOption.APPEND);
    new LetterFile(path, 100)
        .append(new Position(1, 2, 2), "{\"n\":1}".getBytes(StandardCharsets.UTF_8));
    assertEquals(List.of("{}", "{\"n", "{\"n\":1}"), Files.readAllLines(path));
  }

  @Test
  void leavesNothingOfALetterThatItCannotWrite() throws Exception {
    append(1, "{}");
    Files.delete(path);
    Files.createDirectory(path);
    assertThrows(IOException.class, () -> append(2, "{}"));
    Files.delete(path);
    append(2, "{}");
    assertEquals(List.of("{}"), Files.readAllLines(path));
  }
}
