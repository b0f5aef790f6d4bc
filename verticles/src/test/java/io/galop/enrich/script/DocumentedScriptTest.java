package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.enrich.EnrichCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/scripts.md shows is run: its files are written, its commands must print what it says.
 */
@Timeout(180)
class DocumentedScriptTest {
  private static final Path DOCUMENT = Path.of("../docs/scripts.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) ?(\\S*)\\n(.*?)^```$");
  @TempDir Path directory;
  private final Map<String, String> files = new HashMap<>();
  private final List<String> consoles = new ArrayList<>();
  private String errors = "";

  @BeforeEach
  void read() throws IOException {
    for (MatchResult block : BLOCK.matcher(Files.readString(DOCUMENT)).results().toList()) {
      if (block.group(1).equals("console") && block.group(2).isEmpty()) {
        consoles.add(block.group(3));
      } else if (block.group(1).equals("console")) {
        errors = block.group(3);
      } else if (block.group(2).contains(".")) {
        files.put(block.group(2), block.group(3));
        Files.writeString(directory.resolve(block.group(2)), block.group(3));
      }
    }
  }

  @Test
  void commandsPrintWhatTheDocumentSays() {
    assertEquals(2, consoles.size());
    for (String console : consoles) {
      int end = console.indexOf('\n');
      String command = console.substring(0, end);
      assertTrue(command.startsWith("$ galop script "), command);
      CommandRun run = CommandRun.of("", args(command.substring("$ galop script ".length())));
      assertEquals(console.substring(end + 1), run.out(), run.failure());
      if (command.contains(" try ")) {
        assertEquals(1, run.code());
        assertTrue(run.err().startsWith(errors), run.err());
      } else {
        assertEquals(0, run.code());
      }
    }
  }

  private String[] args(String command) {
    return List.of(command.split(" ")).stream()
        .map(word -> files.containsKey(word) ? directory.resolve(word).toString() : word)
        .toArray(String[]::new);
  }

  @Test
  void theChainCanBeStarted() {
    String chain =
        files.get("chain.yaml").replace("chain:", "directory: " + directory + "\n  chain:");
    assertEquals(List.of(), EnrichCheck.problems(ConfigLoader.parse(chain, "chain.yaml")));
  }
}
