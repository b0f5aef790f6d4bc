package io.galop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeTextTest {
  private static final String REST =
      " has characters that the locale's encoding, ASCII, does not have; start galop with LC_ALL=C.UTF-8";
  private final NativeText ascii = new NativeText("ASCII");

  private static Optional<String> sentence(String what) {
    return Optional.of(what + REST);
  }

  @Test
  void whatTheLocaleDoesNotHaveIsNamed() {
    List<String> none = List.of("publish", "a");
    assertEquals(
        sentence("argument 2, 'b\ufffd',"), ascii.problem(List.of("a", "b\ufffd"), Map.of(), "/"));
    assertEquals(
        sentence("the variable GALOP_B"),
        ascii.problem(none, Map.of("GALOP_A", "a", "GALOP_B", "\ufffd"), "/"));
    assertEquals(
        sentence("the working directory, '/\ufffd',"), ascii.problem(none, Map.of(), "/\ufffd"));
    assertEquals(Optional.empty(), ascii.problem(none, Map.of("OTHER", "\ufffd"), "/"));
  }

  @Test
  void inUtf8TheCharacterStandsForItself() {
    NativeText utf8 = new NativeText("UTF-8");
    Map<String, String> variables = Map.of("GALOP_A", "\ufffd");
    assertEquals(Optional.empty(), utf8.problem(List.of("\ufffd"), variables, "/\ufffd"));
  }

  @Test
  void aPathIsOfTheLocaleOrNone() {
    InvalidPathException foreign = new InvalidPathException("/d\u00e4", "Malformed input");
    assertEquals("the path '/d\u00e4'" + REST, ascii.problem(foreign));
    InvalidPathException none = assertThrows(InvalidPathException.class, () -> Path.of("a\0b"));
    String said = "the path 'a\0b' is none: Nul character not allowed";
    assertEquals(said, ascii.problem(none));
    assertEquals(said, new NativeText("UTF-8").problem(none));
  }
}
