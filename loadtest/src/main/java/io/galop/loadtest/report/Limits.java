package io.galop.loadtest.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds figures against limits. */
public final class Limits {
  private Limits() {}

  /** Says which limits are crossed; returns whether any is. */
  public static boolean report(List<Limit> limits, Map<String, Double> figures) {
    boolean crossed = false;
    for (Limit limit : limits) {
      Double figure = figures.get(limit.name());
      if (limit.isCrossedBy(figure)) {
        crossed = true;
        System.out.println("FAILED: " + limit + words(figure, figures));
      }
    }
    return crossed;
  }

  private static String words(@Nullable Double figure, Map<String, Double> figures) {
    return figure == null
        ? ": there is no such figure; there are " + String.join(", ", figures.keySet())
        : ": it is " + figure;
  }
}
