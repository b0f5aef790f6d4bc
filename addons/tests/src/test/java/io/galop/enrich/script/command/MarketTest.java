package io.galop.enrich.script.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptPlace;
import io.galop.market.Market;
import io.galop.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races through the same rule in every language. */
@Timeout(300)
class MarketTest {
  private static final Path SCRIPTS = Path.of("../../verticles/scripts");

  static List<Market> markets() {
    return Market.wins();
  }

  @ParameterizedTest
  @MethodSource("markets")
  void everyLanguageMakesTheSameBytesOfARace(Market market) throws Exception {
    List<String> lines = market.lines();
    String expected = run("betfair.js", lines);
    assertTrue(expected.lines().count() > lines.size(), "most messages have a change of a runner");
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
}
