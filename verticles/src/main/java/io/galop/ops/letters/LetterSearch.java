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
  private static final long PAGE_PATIENCE_NANOS = 4_000_000_000L;

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
   * @param missing of the nodes and stores that did not answer, or not to the end
   */
  record Walked(Optional<LetterPlace> next, Set<String> missing) {
    /** Whether all letters of an event time are known. */
    boolean isWhole(long timeUs) {
      return missing.isEmpty() && next.filter(first -> first.timeUs() <= timeUs).isEmpty();
    }

    /** Why not. */
    String gap() {
      return missing.isEmpty()
          ? "too many letters lie between those that are named; name fewer, or of nearer times"
          : "no whole answer came of " + String.join(", ", missing);
    }
  }

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
    long endNanos = System.nanoTime() + PAGE_PATIENCE_NANOS;
    for (Member member : keepers()) {
      NodeLetters letters =
          new NodeLetters(
              asking -> node.bus().history().query(member.id(), asking, storesMs), endNanos);
      asked.add(
          loop.bring(letters.page(query))
              .onSuccess(page -> pages.put(member.name(), page))
              .onFailure(failure -> unanswered.add(member.name())));
    }
    return loop.bring(Future.join(asked).transform(done -> Future.succeededFuture()))
        .map(done -> LetterPage.of(pages, unanswered, newestFirst));
  }

  /**
   * Reads letters, the oldest first, page after page, for so many pages at most. It ends where
   * something is missing: what is found behind that is not the whole.
   *
   * @param taker takes a letter on a worker thread; answers whether it wants another
   */
  Future<Walked> walk(Range range, Predicate<Placed> taker) {
    return walk(range, taker, MOST_PAGES);
  }

  private Future<Walked> walk(Range range, Predicate<Placed> taker, int pages) {
    return page(range, false, PAGE_LETTERS)
        .compose(page -> loop.bring(loop.vertx().executeBlocking(() -> take(page, taker), false)))
        .compose(
            taken -> {
              Walked walked = taken.walked();
              boolean isOver = taken.isOver() || walked.next().isEmpty() || pages == 1;
              return isOver
                  ? Future.succeededFuture(walked)
                  : walk(range.from(walked.next().get()), taker, pages - 1);
            });
  }

  private record Taken(Walked walked, boolean isOver) {}

  private static Taken take(LetterPage page, Predicate<Placed> taker) {
    Set<String> missing = Set.copyOf(page.missing());
    for (Placed letter : page.letters()) {
      if (!taker.test(letter)) {
        Optional<LetterPlace> here = Optional.of(LetterPlace.of(letter.record()));
        return new Taken(new Walked(here, missing), true);
      }
    }
    return new Taken(new Walked(page.next(), missing), !missing.isEmpty());
  }
}
