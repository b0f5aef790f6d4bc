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
 * What docs/mapping.md shows is run: its files are written, its commands must print what it says.
 */
@Timeout(180)
class DocumentedMappingTest {
  private static final Path DOCUMENT = Path.of("../docs/mapping.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) ?(\\S*)\\n(.*?)^```$");
  @TempDir Path directory;
  private final Map<String, String> files = new HashMap<>();
  private final List<String> consoles = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    for (MatchResult block : BLOCK.matcher(Files.readString(DOCUMENT)).results().toList()) {
      if (block.group(1).equals("console")) {
        consoles.add(block.group(3));
      } else if (block.group(2).contains(".")) {
        files.put(block.group(2), block.group(3));
        Files.writeString(directory.resolve(block.group(2)), block.group(3));
      }
    }
  }

  @Test
  void commandsPrintWhatTheDocumentSays() {
    assertEquals(1, consoles.size());
    for (String console : consoles) {
      int end = console.indexOf('\n');
      String command = console.substring(0, end);
      assertTrue(command.startsWith("$ galop script "), command);
      CommandRun run = CommandRun.of("", args(command.substring("$ galop script ".length())));
      assertEquals(console.substring(end + 1), run.out(), run.failure());
      assertEquals(0, run.code());
    }
  }

  private String[] args(String command) {
    return List.of(command.split(" ")).stream()
        .map(word -> files.containsKey(word) ? directory.resolve(word).toString() : word)
        .toArray(String[]::new);
  }

  /** The misspelt expression of the last section, at the line of the shown file. */
  @Test
  void aWrongExpressionIsToldAsTheDocumentSays() throws IOException {
    String wrong = files.get("kmh.map").replace("double(data.speed)", "double(dat.speed)");
    Path file = Files.writeString(directory.resolve("kmh.map"), wrong);
    CommandRun run = CommandRun.of("", "test", file.toString());
    String shown =
        BLOCK
            .matcher(Files.readString(DOCUMENT))
            .results()
            .filter(block -> block.group(1).equals("text"))
            .findFirst()
            .orElseThrow()
            .group(3)
            .strip();
    assertTrue((run.out() + run.err()).contains(shown), run.out() + run.err());
  }

  @Test
  void theChainCanBeStarted() {
    String chain =
        files.get("chain.yaml").replace("chain:", "directory: " + directory + "\n  chain:");
    assertEquals(List.of(), EnrichCheck.problems(ConfigLoader.parse(chain, "chain.yaml")));
  }
}
