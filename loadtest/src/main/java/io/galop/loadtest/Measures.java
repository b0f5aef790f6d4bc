package io.galop.loadtest;

import io.galop.loadtest.experiments.notifier.Notifier;
import io.galop.loadtest.experiments.reads.Reads;
import io.galop.loadtest.queries.Queries;
import io.galop.loadtest.run.Knee;
import io.galop.loadtest.run.LongRun;
import io.galop.loadtest.run.Matrix;
import io.galop.loadtest.run.Measure;
import io.galop.loadtest.run.Steady;
import io.galop.loadtest.run.Viewers;
import java.util.Map;

/** The kinds of scenario by their words in a file: one word, one record. */
public final class Measures {
  public static final Map<String, Class<? extends Measure>> ALL =
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
}
