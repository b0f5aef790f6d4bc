package io.galop.extend;

import io.galop.json.NotJson;
import io.galop.json.PlainJsonWriter;
import io.galop.node.FeedTap;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What one instance of a verticle is given. */
final class NodeGalop implements GalopApi {
  private static final int RADIX = 36;

  /** How many levels what is published may be nested; its length is the door's matter. */
  private static final int DEEPEST = 64;

  private final VerticleHost host;
  private final InstanceSpec spec;
  private final Guard guard;
  private final Logger log;
  private final RecordPublisher publisher;
  private final Map<String, @Nullable Object> settings;
  private final String idPrefix = Long.toString(new SecureRandom().nextLong() >>> 2, RADIX) + '-';
  private final AtomicLong ids = new AtomicLong();
  private final Set<Ongoing> ongoing = ConcurrentHashMap.newKeySet();

  NodeGalop(VerticleHost host, InstanceSpec spec, Guard guard, Logger log) {
    this.host = host;
    this.spec = spec;
    this.guard = guard;
    this.log = log;
    this.settings = spec.settings();
    this.publisher = new RecordPublisher(guard, host, spec.config().maxInFlightBytes());
  }

  @Override
  public Map<String, @Nullable Object> getSettings() {
    return settings;
  }

  @Override
  public int getInstance() {
    return spec.instance();
  }

  @Override
  public int getInstances() {
    return spec.config().instances();
  }

  @Override
  public Logger getLog() {
    return log;
  }

  @Override
  public Vertx getVertx() {
    return guard.context().owner();
  }

  @Override
  public Future<Void> publish(
      String topic, Map<String, ?> data, @Nullable String id, @Nullable Long timeUs) {
    try {
      String json = new PlainJsonWriter(DEEPEST, Integer.MAX_VALUE).text(data);
      return publishJson(topic, json, id, timeUs);
    } catch (NotJson e) {
      NotPublished why = NotPublished.malformed(e, id == null ? "" : id);
      guard.rejected(why);
      return Future.failedFuture(why);
    }
  }

  @Override
  public Future<Void> publishJson(
      String topic, String data, @Nullable String id, @Nullable Long timeUs) {
    String given = id == null ? idPrefix + Long.toString(ids.incrementAndGet(), RADIX) : id;
    Draft draft = Draft.of(guard.context(), topic, data, given, timeUs);
    onContext(() -> publisher.publish(draft));
    return draft.taken().future();
  }

  private void onContext(Runnable task) {
    Context context = guard.context();
    if (Vertx.currentContext() == context) {
      task.run();
    } else {
      context.runOnContext(now -> task.run());
    }
  }

  @Override
  public Ongoing consume(String filter, Live handler, Consumer<String> onMissed) {
    Function<FeedTap, Runnable> feed =
        host.feed()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "galop.consume needs a feed, which only nodes with the role broadcast"
                            + " have; add it to node.roles or run the verticle on such a node"));
    int maxBytes = host.node().config().ingest().limits().maxTopicBytes();
    LiveQueue queue =
        new LiveQueue(
            guard,
            TopicFilter.parse(filter, maxBytes),
            handler,
            onMissed,
            spec.config(),
            new LiveQueue.Share(spec.instance(), spec.config().instances()));
    queue.endedBy(feed.apply(queue));
    return kept(queue);
  }

  @Override
  public Ongoing every(long ms, Callable<?> handler) {
    Ticker ticker = new Ticker(guard, ms, handler);
    onContext(ticker::start);
    return kept(ticker);
  }

  /** Ends with the verticle if not before, and is forgotten then. */
  private Ongoing kept(Ongoing begun) {
    ongoing.add(begun);
    return () -> {
      ongoing.remove(begun);
      begun.end();
    };
  }

  /** How many are not ended. */
  int ongoing() {
    return ongoing.size();
  }

  /** Calls no handler any more. */
  void endAll() {
    ongoing.forEach(Ongoing::end);
    ongoing.clear();
  }

  /** Succeeds when all that was published is settled. */
  Future<Void> settled() {
    return publisher.drained();
  }
}
