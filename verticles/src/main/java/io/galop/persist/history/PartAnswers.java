package io.galop.persist.history;

import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the rows of a {@link RowPart} come from: the pages of each node, of records or of roll-ups.
 * Lives on one event loop.
 *
 * @param isRolled whether the records are rows
 */
record PartAnswers(List<NodeAnswer> answers, boolean isRolled) {
  PartAnswers {
    answers = List.copyOf(answers);
  }

  /** Loads the first page of each. */
  Future<Void> load() {
    return Future.all(answers.stream().map(NodeAnswer::load).toList()).mapEmpty();
  }

  /** The same, of those only that have answered. */
  PartAnswers with(List<NodeAnswer> answered) {
    return new PartAnswers(answered, isRolled);
  }

  /** Bytes of the pages that are loaded. */
  long bytes() {
    return answers.stream().mapToLong(NodeAnswer::bytes).sum();
  }

  /** Whether these pages are the last ones. */
  boolean areLast() {
    return answers.stream().allMatch(NodeAnswer::isLast);
  }

  /** Names of the stores that it is without, as {@code node/store}. */
  Set<String> missing() {
    Set<String> missing = new TreeSet<>();
    for (NodeAnswer answer : answers) {
      answer.missing().forEach(store -> missing.add(answer.member().name() + "/" + store));
    }
    return missing;
  }
}
