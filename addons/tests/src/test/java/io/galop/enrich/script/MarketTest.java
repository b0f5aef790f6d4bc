package io.galop.enrich.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.galop.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The recorded race through the same rule in every language. */
@Timeout(300)
class MarketTest {
  private static final Path SCRIPTS = Path.of("../../verticles/scripts");

  @Test
  void everyLanguageMakesTheSameBytesOfTheRecordedRace() throws Exception {
    Path recording = data().resolve("betfair-win-1.132153978.jsonl");
    assumeTrue(Files.exists(recording), "no recorded race at " + recording + "; set GALOP_DATA");
    List<String> lines = Files.readAllLines(recording);
    String expected = run("betfair.js", lines);
    assertEquals(1211, expected.lines().count());
    for (String script : List.of("betfair.py", "betfair.groovy", "betfair.kts")) {
      assertEquals(expected, run(script, lines), script);
    }
  }

  private static String run(String script, List<String> lines) throws IOException, ScriptFailure {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Script opened = ScriptPlace.of(SCRIPTS.resolve(script)).open(Map.of())) {
      for (int i = 0; i < lines.size(); i++) {
        byte[] message = lines.get(i).getBytes(StandardCharsets.UTF_8);
        for (Record output : opened.call(new Record("line" + i, "odds/raw", 1, message))) {
          TriedOutput.print(output, out);
        }
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  static Path data() {
    String configured = System.getProperty("GALOP_DATA", System.getenv("GALOP_DATA"));
    return Path.of(configured == null ? "../../../shared/data" : configured);
  }
}
