package io.galop.broadcast;

import io.galop.broadcast.hub.Hub;
import io.galop.node.Reports;
import io.galop.presence.PresenceQuestion;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How many viewers of this node watch something of some filters: {@code {"viewers":[n,…]}}. Each
 * event loop counts its own when it is asked, and keeps nothing. From any thread.
 */
final class WatchedReport implements Reports.Report {
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Supplier<Future<List<Hub>>> hubs;

  /**
   * @param hubs the event loops' hubs, from any thread
   */
  WatchedReport(Supplier<Future<List<Hub>>> hubs) {
    this.hubs = hubs;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    PresenceQuestion question = PresenceQuestion.of(parameters);
    return hubs.get()
        .compose(all -> Future.all(all.stream().map(hub -> count(hub, question)).toList()))
        .map(counts -> sum(counts.<long[]>list(), question.filters().size()));
  }

  private static Future<long[]> count(Hub hub, PresenceQuestion question) {
    Promise<long[]> counted = Promise.promise();
    long[] viewers = new long[question.filters().size()];
    hub.post(() -> count(hub, question, viewers, 0, counted));
    return counted.future();
  }

  /** In turns of about a millisecond: the loop has records to send. */
  private static void count(
      Hub hub, PresenceQuestion question, long[] viewers, int from, Promise<long[]> counted) {
    long begunNanos = System.nanoTime();
    int next = from;
    try {
      while (next < viewers.length && System.nanoTime() - begunNanos < TURN_NANOS) {
        String filter = question.filters().get(next).toString();
        viewers[next++] = hub.viewers(filter, question.most());
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      counted.fail(fault); // whoever asks waits for an answer
      return;
    }
    if (next == viewers.length) {
      counted.complete(viewers);
    } else {
      int rest = next;
      hub.post(() -> count(hub, question, viewers, rest, counted));
    }
  }

  private static JsonObject sum(List<long[]> loops, int filters) {
    JsonArray viewers = new JsonArray();
    for (int i = 0; i < filters; i++) {
      int filter = i;
      viewers.add(loops.stream().mapToLong(loop -> loop[filter]).sum());
    }
    return new JsonObject().put("viewers", viewers);
  }
}
