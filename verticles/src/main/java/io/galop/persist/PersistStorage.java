package io.galop.persist;

import io.galop.config.persist.PersistConfig;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.galop.persist.history.AnswerCache;
import io.galop.persist.history.HistoryAnswers;
import io.galop.persist.log.Log;
import io.galop.persist.ownership.EpochLog;
import io.galop.persist.ownership.Past;
import io.galop.persist.ram.RamTier;
import io.galop.persist.ram.ShardMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the instances of the {@link PersistVerticle} of a node share: the Log, the cold store and
 * the memory of the RAM tier. Opened before they are deployed and closed after they are gone.
 */
public final class PersistStorage {
  private static final String PART = "persist.storage";
  private static final long TEND_MS = 1_000;

  private final Vertx vertx;
  private final Node node;
  private final PersistConfig config;
  private final int shards;
  private final Log log;
  private final RamTier ram;
  private final LoopDelay loopDelay;
  private final Sinks sinks;
  private final AtomicReferenceArray<ShardMemory> memories;
  private final AnswerCache answers;
  private final HistoryAnswers history;
  private final StoringNodes storingNodes;
  private final RetentionGuard retention;
  private final long tending;

  PersistStorage(Vertx vertx, Node node, Log log, RetentionGuard retention) throws Exception {
    Path directory = directory(node);
    this.shards = node.bus().cluster().shards();
    this.vertx = vertx;
    this.node = node;
    this.config = node.config().persist();
    this.log = log;
    log.countIn(node.followingBook("owner"));
    this.loopDelay = new LoopDelay(config.giveWayMs(), node.meters());
    this.retention = retention;
    this.sinks = Sinks.start(vertx, node, log, directory, loopDelay::isLate, retention::nowMs);
    this.storingNodes = StoringNodes.open(directory, shards);
    log.startRetention(retention::nowMs);
    for (String key : List.of("retentionBytes", "retentionHours")) {
      node.settings().offer("persist.log." + key, next -> log.keep(next.persist().log()));
    }
    long ramBytes = config.ram().maxBytes();
    this.ram = new RamTier(ramBytes, shards);
    this.memories = restored(ramBytes);
    this.answers =
        new AnswerCache(
            config.history().cacheBytes(),
            config.cold().enabled() || !config.cold().stores().isEmpty(),
            shards,
            shard -> memory(shard).tail().slabs(),
            node.meters());
    this.history =
        new HistoryAnswers(
            vertx,
            config.history(),
            shards,
            shard -> memory(shard).tail().slabs(),
            sinks.stores(),
            node.meters());
    ram.register(node.meters());
    this.tending = vertx.setPeriodic(TEND_MS, id -> vertx.executeBlocking(this::tend));
  }

  private AtomicReferenceArray<ShardMemory> restored(long ramBytes) {
    List<ShardMemory> filled = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      filled.add(newMemory(shard));
    }
    Restore.fill(log, filled, ramBytes, config.latestLogBytes());
    return new AtomicReferenceArray<>(filled.toArray(new ShardMemory[0]));
  }

  /**
   * Opens the files under {@code node.dataDir} and recovers what is in them.
   *
   * @return fails with a message for the operator if another node has them open, or they are
   *     damaged
   */
  public static Future<PersistStorage> open(Vertx vertx, Node node) {
    node.readiness().unready(PART, "the Log is being read", Set.of(Audience.PUBLISHERS));
    return vertx
        .<PersistStorage>executeBlocking(
            () -> {
              Path files = directory(node).resolve("log");
              RetentionGuard retention =
                  RetentionGuard.open(directory(node), files, node.readiness(), node.meters());
              Log log =
                  Log.open(
                      files,
                      node.config().persist().log(),
                      node.bus().cluster().shards(),
                      node.meters(),
                      node.readiness());
              try {
                return new PersistStorage(vertx, node, log, retention);
              } catch (Exception e) {
                log.close();
                throw e;
              }
            },
            false)
        .onSuccess(opened -> node.readiness().ready(PART));
  }

  private Void tend() {
    retention.tend();
    return null;
  }

  static Path directory(Node node) {
    return Path.of(node.config().node().dataDir());
  }

  StoringNodes storingNodes() {
    return storingNodes;
  }

  /** See {@link StoringLogs#isReplaced}. */
  boolean isLogReplaced(int shard, String name, long otherLog) {
    return storingNodes.logs().isReplaced(shard, name, otherLog);
  }

  /** Learns which Log another node has; that is on the disk soon after. From any thread. */
  void learnLog(int shard, String name, long otherLog) {
    if (storingNodes.logs().learn(shard, name, otherLog)) {
      vertx.executeBlocking(
          () -> {
            storingNodes.logs().write();
            return null;
          });
    }
  }

  /** Of a shard that has heard of every epoch: which Logs were replaced does not matter to it. */
  void learnLogs(int shard) {
    storingNodes.logs().learnAll(shard);
  }

  Log log() {
    return log;
  }

  /** What this node had placed of a shard when it started, as its Log says. */
  Past past(int shard) {
    return EpochLog.past(log.recovered(shard));
  }

  /** The Log could not be written: nothing is taken until the node is started again. */
  void onLogFailed() {
    node.readiness()
        .unready(
            "persist",
            "the Log could not be written; restart the node, it recovers from what is on disk",
            Set.of(Audience.PUBLISHERS));
  }

  /** Answers about the past that are kept for others. */
  public AnswerCache answers() {
    return answers;
  }

  /** Answers from this node's memory and stores. */
  HistoryAnswers history() {
    return history;
  }

  /** How late the event loops are. */
  LoopDelay loopDelay() {
    return loopDelay;
  }

  /** The stores that follow the Log. */
  Sinks sinks() {
    return sinks;
  }

  /** What is remembered of a shard; from outside its event loop only the slabs may be read. */
  public ShardMemory memory(int shard) {
    return memories.get(shard);
  }

  /** One shard's share of the RAM tier. */
  long shareBytes() {
    return config.ram().maxBytes() / memories.length();
  }

  ShardMemory newMemory(int shard) {
    return new ShardMemory(
        ram, shard, config.rememberedIds(), config.latestTopics(), config.latestBytes() / shards);
  }

  /** Another memory of the shard takes the place of the present one, which is let go. */
  void replace(int shard, ShardMemory memory) {
    ShardMemory old = memories.getAndSet(shard, memory);
    if (old != memory) {
      old.close();
    }
  }

  /** Writes what waits and closes everything; after the verticles. */
  public Future<Void> close() {
    return vertx.executeBlocking(
        () -> {
          answers.close();
          history.close();
          vertx.cancelTimer(tending);
          sinks.close();
          retention.close();
          log.close();
          for (int shard = 0; shard < memories.length(); shard++) {
            memories.get(shard).close();
          }
          ram.close();
          return null;
        },
        false);
  }
}
