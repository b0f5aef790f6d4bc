package io.galop.follow;

import io.galop.bus.Ask;
import io.galop.bus.Page;
import io.galop.bus.Refusal;
import io.galop.persist.ram.LatestTopics;
import io.galop.record.Position;
import io.vertx.core.Future;

/** Answers for the latest records of a shard, page by page. */
public final class LatestPage {
  private static final int MOST_BYTES = 1024 * 1024;

  private LatestPage() {}

  /**
   * The page that somebody asks for.
   *
   * @param complete whether these are all topics
   * @param upTo all up to there is in them, or was replaced by something newer
   */
  public static Future<Page> of(LatestTopics latest, Ask ask, boolean complete, Position upTo) {
    try {
      int from = ask.next().isEmpty() ? 0 : slot(ask.next());
      LatestTopics.Some some = latest.some(from, bytes(ask));
      String next = some.next() < 0 ? "" : Integer.toString(some.next());
      return Future.succeededFuture(new Page(complete, upTo, next, some.records()));
    } catch (IllegalArgumentException e) {
      return notOurs(ask);
    }
  }

  private static int slot(String next) {
    int slot = Integer.parseInt(next);
    if (slot < 0) {
      throw new IllegalArgumentException("a negative slot");
    }
    return slot;
  }

  /** Nobody gave that as the next page. */
  public static Future<Page> notOurs(Ask ask) {
    return Future.failedFuture(
        new Refusal(Refusal.Why.BAD_REQUEST, "'" + ask.next() + "' is not the 'next' of a page"));
  }

  /** About how much a page may hold. */
  public static int bytes(Ask ask) {
    return Math.max(1, Math.min(MOST_BYTES, ask.maxBytes()));
  }
}
