package io.galop.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Viewers who are to see all that is acknowledged, whatever fails meanwhile. */
final class Witnesses {
  private static final int SOME = 100;

  private final Counted counted = new Counted();

  /** The ids that each has seen. */
  private final List<Supplier<Set<String>>> seen = new ArrayList<>();

  /** What was acknowledged. */
  Counted counted() {
    return counted;
  }

  /** Adds somebody by the ids that he has seen. */
  void add(Supplier<Set<String>> ids) {
    seen.add(ids);
  }

  /** Adds a viewer of all topics, who comes back when he is disconnected, and is live. */
  Viewer watch(GalopProcess node, String transport) {
    Viewer viewer = Viewer.on(node.http("/live"), transport, "a/#", "--since", "", "--reconnect");
    add(
        () ->
            viewer.records().stream().map(Seen::id).collect(Collectors.toCollection(TreeSet::new)));
    Await.until("it is live", 120, () -> !viewer.all("live").isEmpty());
    return viewer;
  }

  /** Nobody is asked any more. */
  void dismiss() {
    seen.clear();
  }

  /** Publishes some; whether all of it was acknowledged. */
  boolean isPublished(GalopProcess by) throws Exception {
    try {
      counted.publish(by, SOME);
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  /** Published until all of it is acknowledged, and then seen by everybody. */
  void allSee(GalopProcess by) {
    Await.until("it is acknowledged", 120, () -> isPublished(by));
    Await.until(
        "everybody has all of " + counted.ids().size(),
        120,
        () -> seen.stream().allMatch(one -> one.get().containsAll(counted.ids())));
  }
}
