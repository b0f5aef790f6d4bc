package io.galop.enrich.script;

import io.galop.market.Market;
import io.galop.record.Record;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Messages of a race a second through the same rule in each language and in Java, by one thread,
 * parsing and printing included. {@code -p scripts=DIRECTORY} names the directory of the shipped
 * scripts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ScriptBenchmark {
  private interface Rule {
    int call(Record record) throws ScriptFailure;
  }

  @Param({"java", "map", "js", "py", "groovy", "kts"})
  public String language;

  @Param("verticles/scripts")
  public String scripts;

  private final List<Record> messages = new ArrayList<>();
  private Rule rule;
  private int next;

  @Setup
  public void open() throws IOException {
    List<Market> races = Market.wins();
    for (String line : races.get(races.size() - 1).lines()) {
      byte[] data = line.getBytes(StandardCharsets.UTF_8);
      messages.add(new Record("line" + messages.size(), "odds/raw", 1, data));
    }
    rule = language.equals("java") ? new JavaBetfair()::call : script();
  }

  private Rule script() throws IOException {
    Script script = ScriptPlace.of(Path.of(scripts, "betfair." + language)).open(Map.of());
    return record -> script.call(record).size();
  }

  @Benchmark
  public int call() throws ScriptFailure {
    Record message = messages.get(next);
    next = (next + 1) % messages.size();
    return rule.call(message);
  }
}
