package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.enrich.script.command.ScriptCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/scripts.md shows in other languages than JavaScript passes the cases shown there. */
@Timeout(300)
class DocumentedLanguagesTest {
  private static final Path DOCUMENT = Path.of("../../docs/scripts.md");
  private static final Pattern FILE = Pattern.compile("(?ms)^```\\w+ (kmh\\.\\S+)\\n(.*?)^```$");
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"kmh.py", "kmh.groovy", "kmh.kts"})
  void theExamplePassesTheCases(String script) throws Exception {
    for (MatchResult block : FILE.matcher(Files.readString(DOCUMENT)).results().toList()) {
      Files.writeString(directory.resolve(block.group(1)), block.group(2));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int code =
        ScriptCommand.of(
                new ByteArrayInputStream(new byte[0]),
                print,
                print,
                (filter, url, count, onLine) -> {})
            .execute("test", directory.resolve(script).toString());
    assertEquals(
        "ok    metres per second become kilometres per hour\nok    a text is refused\n"
            + script
            + ": 2 passed, 0 failed\n",
        out.toString(StandardCharsets.UTF_8));
    assertEquals(0, code);
  }
}
