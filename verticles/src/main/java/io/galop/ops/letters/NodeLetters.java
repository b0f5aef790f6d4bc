package io.galop.ops.letters;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Asks a node until a page has letters or is the last. A store that has no index by topic passes
 * over other records, and a page of it may hold none although there is more. Pure but for the time.
 */
final class NodeLetters {
  private static final int MOST_TURNS = 400;

  private final Function<HistoryQuery, Future<Page>> ask;
  private final long endNanos;

  /**
   * For one page.
   *
   * @param ask asks the node
   * @param endNanos by {@code System.nanoTime()}: is not asked again from then on
   */
  NodeLetters(Function<HistoryQuery, Future<Page>> ask, long endNanos) {
    this.ask = ask;
    this.endNanos = endNanos;
  }

  /** A page; without letters although it goes on where the node was not read to its end. */
  Future<Page> page(HistoryQuery query) {
    return page(query, 1);
  }

  private Future<Page> page(HistoryQuery query, int turn) {
    return ask.apply(query)
        .compose(
            page -> {
              boolean isOver = turn == MOST_TURNS || System.nanoTime() - endNanos >= 0;
              return !isUnfinished(page) || isOver
                  ? Future.succeededFuture(page)
                  : page(behind(query, page.next()), turn + 1);
            });
  }

  /** Whether nothing was found so far. */
  static boolean isUnfinished(Page page) {
    return page.records().isEmpty() && !page.next().isEmpty();
  }

  /** Much is looked at for few letters. */
  private static HistoryQuery behind(HistoryQuery query, String next) {
    return new HistoryQuery(
        query.filter(),
        query.fromUs(),
        query.toUs(),
        LetterSearch.PAGE_LETTERS,
        query.newestFirst(),
        next);
  }
}
