package io.galop.ops.letters;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.record.Placed;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Asks all nodes that store for dead letters, as for any history. On the loop of the port. */
final class LetterSearch {
  /** Of one page, of all nodes. */
  static final int PAGE_LETTERS = 1_000;

  private static final int MOST_PAGES = 10;

  private final Node node;
  private final Loop loop;

  LetterSearch(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
  }

  /**
   * Which letters.
   *
   * @param behind the one before the first; empty: from the beginning
   */
  record Range(String filter, long fromUs, long toUs, Optional<LetterPlace> behind) {
    private Range from(LetterPlace next) {
      return new Range(filter, fromUs, toUs, Optional.of(next));
    }
  }

  /**
   * How far a walk came.
   *
   * @param next behind which letters were not looked at; empty: there are none
   */
  record Walked(Optional<LetterPlace> next, Set<String> missing) {}

  /** Whether there is anybody to ask. A relay reaches nodes that answer no such questions. */
  boolean isPossible() {
    return !keepers().isEmpty();
  }

  private List<Member> keepers() {
    return node.config().broadcast().link().isGiven()
        ? List.of()
        : node.bus().cluster().members().stream()
            .filter(member -> member.roles().contains(Role.PERSIST))
            .toList();
  }

  /** A page of them. */
  Future<LetterPage> page(Range range, boolean newestFirst, int limit) {
    HistoryQuery query =
        new HistoryQuery(
            range.filter(),
            range.fromUs(),
            range.toUs(),
            limit,
            newestFirst,
            range.behind().map(LetterPlace::text).orElse(""));
    long storesMs = node.config().persist().history().storeTimeoutMs();
    Map<String, Page> pages = new TreeMap<>();
    Set<String> unanswered = new TreeSet<>();
    List<Future<?>> asked = new ArrayList<>();
    for (Member member : keepers()) {
      asked.add(
          loop.bring(node.bus().history().query(member.id(), query, storesMs))
              .onSuccess(page -> pages.put(member.name(), page))
              .onFailure(failure -> unanswered.add(member.name())));
    }
    return loop.bring(Future.join(asked).transform(done -> Future.succeededFuture()))
        .map(done -> LetterPage.of(pages, unanswered, newestFirst));
  }

  /**
   * Reads letters, the oldest first, page after page, for so many pages at most.
   *
   * @param taker takes a letter on a worker thread; answers whether it wants another
   */
  Future<Walked> walk(Range range, Predicate<Placed> taker) {
    return walk(range, taker, MOST_PAGES, Set.of());
  }

  private Future<Walked> walk(
      Range range, Predicate<Placed> taker, int pages, Set<String> missingBefore) {
    return page(range, false, PAGE_LETTERS)
        .compose(
            page ->
                loop.bring(
                    loop.vertx().executeBlocking(() -> take(page, taker, missingBefore), false)))
        .compose(
            walked -> {
              boolean isOver = walked.next().isEmpty() || walked.hasEnough() || pages == 1;
              return isOver
                  ? Future.succeededFuture(new Walked(walked.next(), walked.missing()))
                  : walk(range.from(walked.next().get()), taker, pages - 1, walked.missing());
            });
  }

  private record Taken(Optional<LetterPlace> next, Set<String> missing, boolean hasEnough) {}

  private static Taken take(LetterPage page, Predicate<Placed> taker, Set<String> missingBefore) {
    Set<String> missing = new TreeSet<>(missingBefore);
    missing.addAll(page.missing());
    List<Placed> letters = page.letters();
    for (int i = 0; i < letters.size(); i++) {
      if (!taker.test(letters.get(i))) {
        Optional<LetterPlace> here = Optional.of(LetterPlace.of(letters.get(i).record()));
        boolean isLast = i == letters.size() - 1;
        return new Taken(isLast ? page.next() : here, missing, true);
      }
    }
    return new Taken(page.next(), missing, letters.isEmpty());
  }
}
