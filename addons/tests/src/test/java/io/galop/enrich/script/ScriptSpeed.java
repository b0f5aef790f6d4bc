package io.galop.enrich.script;

import io.galop.market.Market;
import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.Test;

/**
 * Prints how many records of a race a second go through the same rule in each language and in Java,
 * one thread, parsing and printing included. A program, not a test: it asserts nothing.
 */
class ScriptSpeed {
  private static final Path SCRIPTS = Path.of("../../verticles/scripts");
  private static final int ROUNDS = 3;
  private final long nanos =
      TimeUnit.SECONDS.toNanos(Long.getLong("galop.speed.seconds", 10)) / (2 * ROUNDS);

  private interface Rule {
    int call(Record record) throws ScriptFailure;
  }

  @Test
  void table() throws Exception {
    List<Market> races = Market.wins();
    Market race = races.get(races.size() - 1);
    List<Record> records = new ArrayList<>();
    for (String line : race.lines()) {
      byte[] data = line.getBytes(StandardCharsets.UTF_8);
      records.add(new Record("line" + records.size(), "odds/raw", 1, data));
    }
    Map<String, Rule> rules = new LinkedHashMap<>();
    rules.put("Java", new JavaBetfair()::call);
    for (String suffix : List.of("js", "py", "groovy", "kts")) {
      Script script = open("betfair." + suffix);
      rules.put(suffix, record -> script.call(record).size());
    }
    print(records, measure(records, rules));
  }

  private static Script open(String file) throws IOException {
    return ScriptPlace.of(SCRIPTS.resolve(file)).open(Map.of());
  }

  /**
   * In turns, so that what else runs on the machine weighs on all alike; the best of each counts.
   */
  private Map<String, Double> measure(List<Record> records, Map<String, Rule> rules)
      throws ScriptFailure {
    Map<String, Double> best = new LinkedHashMap<>();
    for (int round = 0; round < 2 * ROUNDS; round++) {
      for (Map.Entry<String, Rule> rule : rules.entrySet()) {
        best.merge(rule.getKey(), perSecond(records, rule.getValue()), Math::max);
      }
    }
    return best;
  }

  private double perSecond(List<Record> records, Rule rule) throws ScriptFailure {
    long began = System.nanoTime();
    long called = 0;
    while (System.nanoTime() - began < nanos) {
      for (int i = 0; i < 50; i++) {
        rule.call(records.get((int) (called++ % records.size())));
      }
    }
    return called * 1e9 / (System.nanoTime() - began);
  }

  private static void print(List<Record> records, Map<String, Double> rates) {
    try (Engine engine =
        Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      System.out.printf(
          "%d messages, Java %s, Truffle %s%n",
          records.size(), System.getProperty("java.version"), engine.getImplementationName());
    }
    double java = rates.get("Java");
    rates.forEach(
        (language, rate) ->
            System.out.printf(
                Locale.ROOT,
                "%-8s %,10.0f records/s  %5.2f of Java%n",
                language,
                rate,
                rate / java));
  }
}
