package io.galop.persist.log;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the outcome of a group to the callers, with one task for each of their event loops. */
final class Completions {
  private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

  private Completions() {}

  static void complete(List<Append> group, Consumer<Append> outcome) {
    if (group.size() == 1) { // as mostly where little comes: a map would cost more than the rest
      run(List.of(group.get(0)), outcome);
      return;
    }
    Map<Context, List<Append>> byContext = new IdentityHashMap<>();
    for (Append append : group) {
      byContext.computeIfAbsent(append.context(), c -> new ArrayList<>()).add(append);
    }
    byContext.values().forEach(appends -> run(appends, outcome));
  }

  private static void run(List<Append> appends, Consumer<Append> outcome) {
    Context context = appends.get(0).context();
    if (context == null) {
      runHere(appends, outcome);
      return;
    }
    try {
      context.runOnContext(v -> appends.forEach(outcome));
    } catch (RejectedExecutionException e) {
      runHere(appends, outcome);
    }
  }

  /** What a caller does with the outcome must not stop the Log. */
  private static void runHere(List<Append> appends, Consumer<Append> outcome) {
    for (Append append : appends) {
      try {
        outcome.accept(append);
      } catch (RuntimeException e) {
        LOG.error("a caller of the Log failed", e);
      }
    }
  }
}
