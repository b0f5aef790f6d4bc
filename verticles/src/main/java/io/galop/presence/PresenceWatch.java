package io.galop.presence;

import io.galop.node.Node;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Asks every second how many viewers some filters have, all of them in one question. For one event
 * loop.
 */
public final class PresenceWatch {
  private static final long EVERY_MS = 1_000;

  /** Longer than a node waits for its relays. */
  private static final long TIMEOUT_MS = 1_500;

  private final Loop loop;
  private final int most;
  private final ClusterPresence presence;
  private final List<Watched> all = new ArrayList<>();
  private final Counter looks;
  private final Counter partial;
  private long timer = -1;
  private boolean isClosed;

  private record Watched(TopicFilter filter, BooleanSupplier isWanted, Hearer hearer) {}

  /** Hears how many viewers a filter has. */
  public interface Hearer {
    /**
     * Called on the loop, at most once a second.
     *
     * @param isPartial whether there may be viewers that are not counted
     */
    void onCount(long viewers, boolean isPartial);
  }

  /**
   * @param most from how many viewers on there is no need to count further
   */
  public PresenceWatch(Node node, int most) {
    this.loop = Loop.current();
    this.most = most;
    this.presence = new ClusterPresence(node, loop);
    this.looks = counter(node, "looks", "Times that a node has asked all who watches, by itself");
    this.partial =
        counter(node, "partial", "Times that a node or relay was missing in such an answer");
  }

  private static Counter counter(Node node, String name, String what) {
    return Counter.builder("galop.presence." + name).description(what).register(node.meters());
  }

  /**
   * Adds a filter.
   *
   * @param isWanted whether its viewers are to be counted this time
   */
  public void add(TopicFilter filter, BooleanSupplier isWanted, Hearer hearer) {
    all.add(new Watched(filter, isWanted, hearer));
  }

  /** Begins to ask, if anything was added. */
  public void open() {
    if (!all.isEmpty()) {
      ask();
    }
  }

  private void ask() {
    List<Watched> due = all.stream().filter(one -> one.isWanted.getAsBoolean()).toList();
    List<Future<?>> asked = new ArrayList<>();
    for (int from = 0; from < due.size(); from += PresenceQuestion.MOST_FILTERS) {
      asked.add(ask(due.subList(from, Math.min(due.size(), from + PresenceQuestion.MOST_FILTERS))));
    }
    Future.join(asked).onComplete(done -> later());
  }

  private Future<PresenceCount> ask(List<Watched> some) {
    List<TopicFilter> filters = some.stream().map(Watched::filter).toList();
    return presence
        .ask(new PresenceQuestion(filters, most), TIMEOUT_MS)
        .onSuccess(count -> tell(some, count));
  }

  private void tell(List<Watched> some, PresenceCount count) {
    looks.increment();
    partial.increment(count.isPartial() ? 1 : 0);
    for (int i = 0; i < some.size() && !isClosed; i++) {
      some.get(i).hearer.onCount(count.viewers(i), count.isPartial());
    }
  }

  private void later() {
    if (!isClosed) {
      timer = loop.vertx().setTimer(EVERY_MS, due -> ask());
    }
  }

  /** Asks no more, and tells nothing more. */
  public void close() {
    isClosed = true;
    loop.vertx().cancelTimer(timer);
  }
}
