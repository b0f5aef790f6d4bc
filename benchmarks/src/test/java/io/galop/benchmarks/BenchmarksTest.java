package io.galop.benchmarks;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each benchmark runs, once and for a moment: its figures mean nothing here. */
@Timeout(180)
class BenchmarksTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "LogBenchmark",
        "OwnerBenchmark",
        "HistoryBenchmark",
        "RingBenchmark",
        "ScriptBenchmark",
        "SchemaBenchmark"
      })
  void runs(String benchmark) throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("\\." + benchmark + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(50))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    if (benchmark.startsWith("History")) {
      options.param("records", "1000");
    } else if (benchmark.startsWith("Script")) {
      options.param("scripts", "../verticles/scripts");
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    assertFalse(results.isEmpty());
    for (RunResult result : results) {
      assertTrue(result.getPrimaryResult().getScore() > 0, result.getParams().id());
    }
  }
}
