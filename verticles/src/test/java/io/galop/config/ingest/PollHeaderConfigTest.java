package io.galop.config.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret that cannot be a header's value is refused without being named. */
class PollHeaderConfigTest {
  @TempDir private Path directory;

  private static String ofVariable(String value) throws IOException {
    return new PollHeaderConfig("Authorization", "", "", "KEY").readValue(Map.of("KEY", value));
  }

  private String ofFile(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), text);
    return new PollHeaderConfig("Authorization", "", file.toString(), "").readValue();
  }

  private static void refused(String where, org.junit.jupiter.api.function.Executable read) {
    IOException refused = assertThrows(IOException.class, read);
    assertTrue(refused.getMessage().contains(where), refused.getMessage());
    assertTrue(refused.getMessage().contains("control character"), refused.getMessage());
    assertFalse(refused.toString().contains("secret"), refused.getMessage());
  }

  @Test
  void spaceAroundAValueIsNoPartOfIt() throws IOException {
    assertEquals("Bearer secret", ofVariable(" Bearer secret\r\n"));
    assertEquals("Bearer secret", ofFile("Bearer secret \nmore\n"));
    assertEquals("a\tb", ofVariable("a\tb"));
  }

  @Test
  void controlCharactersAreRefusedByWhereTheyStand() {
    for (String wrong :
        new String[] {"secret\nX: y", "se\rcret", "secret\u0000x", "secret\u007f"}) {
      refused("variable KEY", () -> ofVariable(wrong));
    }
    refused("/key", () -> ofFile("secret\u0001x\n"));
    refused("/key", () -> ofFile("secret\u007f"));
  }
}
