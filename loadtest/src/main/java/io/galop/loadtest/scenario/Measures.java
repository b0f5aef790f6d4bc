package io.galop.loadtest.scenario;

import io.galop.loadtest.notifier.Notifier;
import io.galop.loadtest.queries.Queries;
import io.galop.loadtest.reads.Reads;
import io.galop.loadtest.run.Knee;
import io.galop.loadtest.run.LongRun;
import io.galop.loadtest.run.Matrix;
import io.galop.loadtest.run.Steady;
import io.galop.loadtest.run.Viewers;
import java.util.Map;
import java.util.Set;

/** The kinds of scenario by their words in a file: one word, one record. */
final class Measures {
  private static final Map<String, Class<? extends Measure>> ALL =
      Map.of(
          "knee", Knee.class,
          "steady", Steady.class,
          "viewers", Viewers.class,
          "long-run", LongRun.class,
          "matrix", Matrix.class,
          "notifier", Notifier.class,
          "reads", Reads.class,
          "queries", Queries.class);

  private Measures() {}

  static Set<String> words() {
    return ALL.keySet();
  }

  /** Null if there is none. */
  static Class<? extends Measure> of(String word) {
    return ALL.get(word);
  }
}
