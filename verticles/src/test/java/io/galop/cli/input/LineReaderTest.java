package io.galop.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  private static LineReader over(String text, int maxBytes) {
    return new LineReader(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), maxBytes);
  }

  private static List<String> all(LineReader lines) throws IOException {
    List<String> all = new ArrayList<>();
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      all.add(lines.isCut() ? "(cut)" : new String(line, StandardCharsets.UTF_8));
    }
    return all;
  }

  @Test
  void linesEndWithLfOrCrLfOrTheEnd() throws IOException {
    assertEquals(List.of("a", "b", "", "c"), all(over("a\nb\r\n\nc", 10)));
  }

  @Test
  void aLineOfExactlyTheLimitIsWholeAndALongerOneIsCutAlone() throws IOException {
    assertEquals(List.of("12345", "(cut)", "ok"), all(over("12345\r\n123456\nok\n", 5)));
  }

  @Test
  void aLineMayBeLongerThanTheBuffer() throws IOException {
    String line = "x".repeat(200_000);
    assertEquals(List.of(line, "y"), all(over(line + "\ny", 300_000)));
  }

  @Test
  void tellsNumberAndOffset() throws IOException {
    LineReader lines = over("ab\ncde\n", 10);
    lines.next();
    assertEquals(1, lines.number());
    assertEquals(3, lines.offset());
    assertTrue(lines.ready());
    lines.next();
    assertEquals(7, lines.offset());
    assertNull(lines.next());
  }
}
