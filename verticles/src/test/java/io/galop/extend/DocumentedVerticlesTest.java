package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/verticles.md shows is run. */
@Tag("slow")
@Timeout(180)
class DocumentedVerticlesTest {
  private static final Path DOCUMENT = Path.of("../docs/verticles.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+) (\\S+)\\n(.*?)^```$");
  @TempDir Path directory;
  private final Map<String, String> files = new HashMap<>();

  @BeforeEach
  void read() throws IOException {
    for (MatchResult block : BLOCK.matcher(Files.readString(DOCUMENT)).results().toList()) {
      files.put(block.group(2), block.group(3));
      Files.writeString(directory.resolve(block.group(2)), block.group(3));
    }
  }

  @Test
  void theSourceAndTheAlarm() throws Exception {
    try (VerticleNode node = VerticleNode.run(directory, "galop.yaml")) {
      List<Integer> alarms =
          node.history("alarm/sensor/pulse", 4).stream()
              .map(record -> record.getJsonObject("data").getInteger("value"))
              .limit(4)
              .toList();
      assertEquals(List.of(90, 100, 90, 100), alarms);
      assertEquals(0, node.status("js:alarm.js").getLong("errors"));
      assertEquals(0, node.status("js:pulse.js").getLong("rejected"));
    }
  }

  @Test
  void theClass() throws Exception {
    Path classes = Path.of(getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
    String source = directory.resolve("Doubler.java").toString();
    String[] args = {"-d", classes.toString(), source};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, args));
    try (VerticleNode node = VerticleNode.run(directory, "java.yaml")) {
      node.publish(List.of("{\"topic\":\"sensor/a\",\"data\":{\"value\":21}}"));
      String twice = node.history("twice/sensor/a", 1).get(0).getJsonObject("data").encode();
      assertEquals("{\"value\":42}", twice);
    }
  }

  @Test
  void everyCountIsInTheStatus() throws Exception {
    String document = Files.readString(DOCUMENT);
    try (VerticleNode node = VerticleNode.run(directory, "galop.yaml")) {
      for (String field : node.status("js:pulse.js").fieldNames()) {
        assertTrue(field.equals("name") || document.contains('`' + field + '`'), field);
      }
    }
  }
}
