package io.galop.broadcast.feed;

import io.galop.broadcast.hub.BroadcastMeters;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.ledger.Book;
import io.galop.node.Node;
import io.galop.record.Position;
import io.galop.vertx.Loop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a broadcast node knows of the feed: the latest record of every topic and, in its ring, the
 * newest records. It follows all shards from the start and not only those that somebody watches: so
 * a node that is ready can answer any registration at once, and one that cannot is not ready. Lives
 * on one event loop, the feed loop, and hands everything to the Hubs in one order.
 */
public final class NodeFeed implements ShardListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFeed.class);
  private static final String PART = "feed";
  private static final long TICK_MS = 100;
  private static final int MOST_SILENT = 5;

  private final Node node;
  private final Context context;
  private final Loop loop;
  private final Ring ring;
  private final ShardFeed[] shards;
  private final BroadcastMeters meters;
  private final Joins joins;
  private final List<Hub> hubs = new ArrayList<>();
  private final Taps taps;
  private final Watching watching;
  private final Freshness freshness;
  private final Book book;
  private final AtomicLong ringBytes;
  private final AtomicLong silentTopics;
  private final AtomicLong unwatched;
  private final AtomicLong topics;
  private final AtomicLong latestBytes;
  private final AtomicLong staleShards;
  private boolean isReady;

  @Override
  public void onRepeated() {
    meters.repeated();
  }

  /** To be called on the event loop that is to be the feed loop. */
  public NodeFeed(Vertx vertx, Node node) {
    var config = node.config().broadcast();
    int count = node.bus().cluster().shards();
    this.node = node;
    this.context = vertx.getOrCreateContext();
    this.loop = Loop.of(context);
    this.taps = Taps.of(node, context);
    this.ring = new Ring(config.ring(), count);
    this.shards = new ShardFeed[count];
    this.meters = new BroadcastMeters(node.meters(), node.lateness());
    this.book = node.book("feed", context);
    this.freshness = new Freshness(config.freshness(), config.latestMaxTopics(), System.nanoTime());
    this.silentTopics = meters.number("stale.topics", "Topics silent for longer than they may be");
    this.unwatched = meters.number("unwatched.topics", "Topics for whose freshness was no place");
    this.ringBytes = meters.number("ring.bytes", "Bytes taken by the ring's records");
    this.topics = meters.number("topics", "Topics whose latest record is kept");
    this.latestBytes = meters.number("latest.bytes", "Bytes taken by the latest records of topics");
    this.staleShards = meters.number("stale.shards", "Shards whose owner is not heard");
    this.watching =
        new Watching(vertx, node.bus().feed(), config, count, taps, meters, this::onCovered);
    for (int shard = 0; shard < count; shard++) {
      shards[shard] = new ShardFeed(vertx, node.bus(), shard, config, watching.cover(shard), this);
    }
    this.joins = new Joins(vertx, node.bus().feed(), config.resume(), ring, shards, meters);
    new FreshnessChange(loop, freshness, shards, this::append).offer(node.settings());
  }

  /** Begins to follow; must be ready to take pushes before any owner is asked for them. */
  public Future<Void> start() {
    showReadiness();
    watching.look();
    node.bus().cluster().onChange(members -> forEachShard(ShardFeed::checkOwner));
    context.owner().setPeriodic(TICK_MS, timer -> tick());
    return node.bus()
        .feed()
        .onPush(push -> shards[push.batch().shard()].take(push))
        .completion()
        .compose(done -> taps.listen())
        .onSuccess(done -> forEachShard(ShardFeed::attempt));
  }

  private void forEachShard(Consumer<ShardFeed> action) {
    for (ShardFeed shard : shards) {
      action.accept(shard);
    }
  }

  private void tick() {
    watching.look();
    forEachShard(ShardFeed::tick);
    joins.forgetEnded();
    ringBytes.set(ring.bytes());
    topics.set(Arrays.stream(shards).mapToLong(shard -> shard.view().latest().size()).sum());
    latestBytes.set(Arrays.stream(shards).mapToLong(shard -> shard.view().latest().bytes()).sum());
    showReadiness();
    onSilence();
  }

  private void onSilence() {
    List<Entry> words = freshness.tick(System.nanoTime());
    if (!words.isEmpty()) {
      append(words);
    }
    List<String> forgotten = freshness.forgotten();
    if (!forgotten.isEmpty()) {
      // Nobody would be told that such a value is frozen, so nobody is shown it.
      forgotten.forEach(topic -> shardOf(topic).view().latest().forget(topic));
      hubs.forEach(hub -> hub.post(() -> hub.forget(forgotten)));
    }
    silentTopics.set(freshness.staleTopics());
    unwatched.set(freshness.unwatched());
  }

  /** Who hears the feed beside the Hubs. */
  @Override
  public Taps taps() {
    return taps;
  }

  @Override
  public void onSent(int shard, long records) {
    book.turn();
    book.add(shard, Book.IN, records);
    book.open(shard, records);
  }

  @Override
  public void onTaken(int shard, long records) {
    book.open(shard, -records);
  }

  @Override
  public void onKnown(int shard, long records) {
    book.add(shard, book.column("known"), records);
  }

  /** Marks the next records as fresh, puts them into the ring and shows them to every Hub. */
  @Override
  public Future<Void> onRecords(List<Entry> entries) {
    long now = System.nanoTime();
    markHeard(entries, now);
    meters.fed(entries.get(0), entries.size());
    List<Entry> all = freshness.heard(entries, now);
    long before = ring.next();
    Future<Void> taken = append(all);
    long words = all.size() - entries.size();
    book.add(entries.get(0).shard(), book.column("fed"), ring.next() - before - words);
    return taken;
  }

  /** What a shard catches up with is as old as its event time says. */
  private void markHeard(List<Entry> entries, long now) {
    if (!shards[entries.get(0).shard()].isStale()) {
      entries.stream().filter(e -> !e.isRepeat()).forEach(e -> e.heardAt(now));
    }
  }

  private Future<Void> append(List<Entry> entries) {
    loop.check();
    entries.forEach(ring::append);
    return show(entries);
  }

  private Future<Void> show(List<Entry> entries) {
    if (hubs.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> taken = Promise.promise();
    AtomicInteger left = new AtomicInteger(hubs.size());
    hubs.forEach(hub -> hub.post(() -> hand(hub, entries, left, taken)));
    return taken.future();
  }

  private static void hand(Hub hub, List<Entry> entries, AtomicInteger left, Promise<Void> taken) {
    try {
      hub.append(entries);
    } catch (RuntimeException | OutOfMemoryError fault) {
      hub.failed(fault);
    } finally {
      if (left.decrementAndGet() == 0) {
        taken.complete();
      }
    }
  }

  @Override
  public void onLoaded(int shard, Position upTo) {
    loop.check();
    ring.restart(shard, upTo);
    // Who registered before this could be shown nothing of the shard, however much there was.
    if (!shards[shard].view().wasEmpty() || upTo.offset() > 0) {
      tellGap(shard, upTo);
    }
    joins.loaded();
  }

  @Override
  public void onGap(int shard, Position upTo) {
    loop.check();
    ring.restart(shard, upTo);
    tellGap(shard, upTo);
  }

  private void tellGap(int shard, Position upTo) {
    taps.onGap(shard);
    List<Entry> latest = shards[shard].view().latest().all();
    boolean partial =
        shards[shard].view().latest().hasForgotten() || !shards[shard].cover().isWhole();
    hubs.forEach(hub -> hub.post(() -> hub.gap(upTo, latest, partial)));
    List<Entry> words = freshness.loaded(latest, System.nanoTime());
    if (!words.isEmpty()) {
      append(words);
    }
  }

  @Override
  public void onCovered() {
    joins.loaded();
  }

  @Override
  public void onStale(int shard, boolean isStale) {
    loop.check();
    hubs.forEach(hub -> hub.post(() -> hub.stale(shard, isStale)));
    showReadiness();
  }

  private BitSet stale() {
    BitSet stale = new BitSet();
    for (int shard = 0; shard < shards.length; shard++) {
      stale.set(shard, shards[shard].isStale());
    }
    return stale;
  }

  private void showReadiness() {
    BitSet stale = stale();
    staleShards.set(stale.cardinality());
    if (stale.isEmpty()) {
      showReady();
      return;
    }
    int first = stale.nextSetBit(0);
    String reason =
        "%d of %d shards are not fed; shard %d: %s"
            .formatted(stale.cardinality(), shards.length, first, shards[first].trouble());
    if (isReady) {
      isReady = false;
      LOG.warn("browsers are told that the feed is stale: {}", reason);
    }
    node.readiness().unreadyForViewers(PART, reason);
  }

  private void showReady() {
    if (!isReady) {
      isReady = true;
      LOG.info("all {} shards are fed", shards.length);
      node.readiness().ready(PART);
    }
  }

  /** A Hub wants to hear the feed. From any thread. */
  public void attach(Hub hub) {
    context.runOnContext(
        ignored -> {
          hubs.add(hub);
          long next = ring.next();
          BitSet stale = stale();
          List<Entry> silent = freshness.words();
          hub.post(() -> hub.attached(next, stale, this::watched));
          hub.post(() -> hub.silent(silent));
        });
  }

  /** The first viewer of a Hub watches a filter, or the last one does no more. From any thread. */
  private void watched(String filter, boolean isWatched) {
    context.runOnContext(ignored -> watching.change(filter, isWatched));
  }

  /** A Hub no longer listens. From any thread. */
  public void detach(Hub hub) {
    context.runOnContext(ignored -> hubs.remove(hub));
  }

  /** Who listens. From any thread. */
  public Future<List<Hub>> hubs() {
    Promise<List<Hub>> all = Promise.promise();
    context.runOnContext(ignored -> all.complete(List.copyOf(hubs)));
    return all.future();
  }

  /** Some of the topics that are silent for longer than they may be. From any thread. */
  public Future<JsonObject> silent() {
    return loop.call(
        () -> Future.succeededFuture(freshness.silent(MOST_SILENT, System.nanoTime())));
  }

  /** The latest record of a topic; null if the node keeps none. On the feed loop. */
  public @Nullable Entry latest(String topic) {
    loop.check();
    return shardOf(topic).view().latest().of(topic);
  }

  private ShardFeed shardOf(String topic) {
    return shards[watching.shardOf(topic)];
  }

  /** Answers registrations with a snapshot or what was missed. */
  public Joins joins() {
    return joins;
  }

  /** Runs something on the feed loop. From any thread. */
  public void post(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  public Ring ring() {
    return ring;
  }

  /** Lets go of what is off the heap. On the feed loop. */
  public void close() {
    taps.close();
  }

  public int shards() {
    return shards.length;
  }

  public BroadcastMeters meters() {
    return meters;
  }
}
