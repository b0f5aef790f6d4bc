package io.galop.persist;

import io.galop.cluster.Cluster;
import io.galop.config.ClusterConfig;
import io.galop.follow.Credits;
import io.galop.follow.Followers;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owns its part of the shards, on one event loop. */
public final class PersistVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(PersistVerticle.class);

  /** How often followers get a sign of life, old slabs go, and owners are looked at again. */
  private static final long TICK_MS = 1_000;

  private final Node node;
  private final PersistStorage storage;
  private final int index;
  private final int of;
  private final List<ShardUnit> units = new ArrayList<>();
  private final List<MessageConsumer<?>> consumers = new ArrayList<>();

  /** Null before the start. */
  private @Nullable Company company;

  private Runnable endOfWatch = () -> {};
  private boolean stopping;

  /**
   * An instance.
   *
   * @param index which of the instances this is, from 0
   * @param of how many there are; this one handles the shards whose number modulo it is {@code
   *     index}
   */
  public PersistVerticle(Node node, PersistStorage storage, int index, int of) {
    this.node = node;
    this.storage = storage;
    this.index = index;
    this.of = of;
  }

  @Override
  public Future<?> start() {
    int creditBytes = node.config().persist().feed().creditBytes();
    Credits credits =
        new Credits(creditBytes, node.meters(), "galop.persist.push.in.flight", index);
    PersistMeters meters = PersistMeters.of(node, context);
    Company others = new Company(node.bus().cluster(), unnoticedNanos(), System::nanoTime);
    company = others;
    for (int shard = index; shard < node.bus().cluster().shards(); shard += of) {
      ShardOwner owner = owner(shard, meters, credits);
      units.add(new ShardUnit(node, storage, shard, owner, others, this::sayWhetherReady));
    }
    units.forEach(unit -> consumers.addAll(unit.listen(this::noteTheTime)));
    node.bus().cluster().onChange(members -> check());
    answerHistory();
    endOfWatch = storage.loopDelay().watch(vertx);
    vertx.setPeriodic(TICK_MS, timer -> tick());
    gauges();
    check();
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList());
  }

  private ShardOwner owner(int shard, PersistMeters meters, Credits credits) {
    Durability durability = new Durability(storage.memory(shard).tail().head());
    return new ShardOwner(
        node.config().persist(),
        storage,
        meters,
        shard,
        durability,
        new Replication(node, shard, durability),
        new Followers(
            node.bus().feed(), credits, meters.droppedFollowers(), storage.memory(shard)));
  }

  private void gauges() {
    gauge(
        "galop.persist.followers",
        "Followers of shards: a broadcast node counts for each of its shards",
        unit -> unit.owner().followers().size());
    gauge(
        "galop.persist.followers.lag",
        "Records that the last follower is behind",
        unit -> unit.owner().followers().lag());
    gauge(
        "galop.persist.copies.waiting",
        "Batches that wait for the second copy",
        unit -> unit.owner().replication().waiting());
    gauge(
        "galop.persist.held.bytes",
        "Bytes held for shards that are being taken over",
        unit -> unit.owner().heldBytes());
    gauge(
        "galop.persist.topics",
        "Topics whose latest record is kept for snapshots",
        unit -> unit.owner().memory().latest().size());
    gauge(
        "galop.persist.topics.forgotten",
        "Topics whose latest record was dropped for lack of room",
        unit -> unit.owner().memory().latest().evictions());
  }

  /** Others may hear the last sign of life a second before the process stands still. */
  private long unnoticedNanos() {
    ClusterConfig cluster = node.config().cluster();
    return cluster.isClustered()
        ? TimeUnit.SECONDS.toNanos(cluster.maxSilenceSeconds() - 1)
        : Long.MAX_VALUE;
  }

  /** Of a node that is alone, all event loops answer in turn; in a cluster, one is registered. */
  private void answerHistory() {
    if (index == 0 || !node.config().cluster().isClustered()) {
      consumers.addAll(HistoryConsumers.of(node, storage));
    }
  }

  private void gauge(String name, String description, ToLongFunction<ShardUnit> value) {
    Gauge.builder(name, units, all -> all.stream().mapToLong(value).sum())
        .description(description)
        .tag("loop", Integer.toString(index))
        .register(node.meters());
  }

  private void check() {
    if (!stopping) {
      noteTheTime();
      Set<String> back = company().look();
      noteNames();
      units.forEach(unit -> unit.ownership().onBack(back));
      if (company().hasLost()) {
        units.forEach(unit -> unit.ownership().onOthersLost());
      }
      units.forEach(ShardUnit::check);
      sayWhetherReady();
    }
  }

  private void tick() {
    if (!stopping) {
      long maxAgeMs = node.config().persist().ram().maxAgeMs();
      units.forEach(unit -> unit.tick(maxAgeMs));
      check();
    }
  }

  /** Who stores now may own while this node is down. */
  private void noteNames() {
    Set<String> names = StoringNodes.among(node.bus().cluster().members());
    if (index == 0 && storage.storingNodes().isNews(names)) {
      vertx.executeBlocking(
          () -> {
            storage.storingNodes().add(names);
            return null;
          });
    }
  }

  private Company company() {
    return Objects.requireNonNull(company, "not started yet");
  }

  /** Before anything else: what waits to be dealt with may be from before a standstill. */
  private void noteTheTime() {
    if (company().stoodStill()) {
      LOG.warn(
          "process paused for {} s; re-checking shard ownership",
          String.format(Locale.ROOT, "%.1f", company().pausedSeconds()));
      units.forEach(unit -> unit.ownership().onStandstill());
    }
  }

  private void sayWhetherReady() {
    long missing = units.stream().filter(ShardUnit::isMissing).count();
    String part = "persist." + index;
    if (isOpening()) {
      node.readiness()
          .unready(
              part,
              "the other nodes have not been told that the Log is read",
              Set.of(Audience.PUBLISHERS));
    } else if (missing == 0) {
      node.readiness().ready(part);
    } else {
      node.readiness()
          .unready(part, missing + " shards are being taken over", Set.of(Audience.PUBLISHERS));
    }
  }

  private boolean isOpening() {
    Cluster cluster = node.bus().cluster();
    return cluster.members().stream()
        .anyMatch(member -> member.equals(cluster.self()) && member.isOpening());
  }

  @Override
  public Future<?> stop() {
    stopping = true;
    endOfWatch.run();
    return Future.join(units.stream().map(ShardUnit::stop).toList())
        .transform(
            done -> Future.join(consumers.stream().map(MessageConsumer::unregister).toList()));
  }
}
