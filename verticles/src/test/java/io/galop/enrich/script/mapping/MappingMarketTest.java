package io.galop.enrich.script.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptPlace;
import io.galop.market.Market;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The market's rule as a mapping beside the one in JavaScript. */
@Timeout(300)
class MappingMarketTest {
  private static final Path SCRIPTS = Path.of("scripts");

  static Stream<Market> markets() {
    return Stream.concat(Market.wins().stream(), Market.places().stream());
  }

  @ParameterizedTest
  @MethodSource("markets")
  void theMappingMakesTheBytesOfTheScript(Market market) throws Exception {
    List<String> expected = run("betfair.js", market.lines());
    List<String> actual = run("betfair.map", market.lines());
    assertTrue(expected.size() > market.lines().size() / 2, "most messages have changes");
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), "record " + i);
    }
    assertEquals(expected.size(), actual.size());
  }

  private static List<String> run(String script, List<String> lines) throws ScriptFailure {
    List<String> out = new ArrayList<>();
    try (Script opened = ScriptPlace.of(SCRIPTS.resolve(script)).open(Map.of())) {
      for (int i = 0; i < lines.size(); i++) {
        byte[] message = lines.get(i).getBytes(StandardCharsets.UTF_8);
        for (Record made : opened.call(new Record("line" + i, "odds/raw", 1, message))) {
          String data = new String(made.data(), StandardCharsets.UTF_8);
          out.add(made.id() + ' ' + made.topic() + ' ' + made.timeUs() + ' ' + data);
        }
      }
    }
    return out;
  }
}
