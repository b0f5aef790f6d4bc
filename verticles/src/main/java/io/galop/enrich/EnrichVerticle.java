package io.galop.enrich;

import io.galop.bus.Refusal;
import io.galop.config.Role;
import io.galop.config.enrich.EnrichConfig;
import io.galop.enrich.script.swap.ScriptSteps;
import io.galop.enrich.step.EnrichMeters;
import io.galop.node.Audience;
import io.galop.node.Node;
import io.galop.record.Batch;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The stage between the doors and the owners: takes the raw Batches of its shards and hands on what
 * becomes of them. One instance for each event loop; each shard is one instance's.
 */
public final class EnrichVerticle extends VerticleBase {
  private final Node node;
  private final int index;
  private final int of;
  private final ScriptSteps scripts;
  private final EnrichMeters meters;
  private final List<Supplier<Future<Void>>> registrations = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // start makes it, before a Batch comes
  private LiveChain chain;

  @SuppressWarnings("NullAway.Init") // likewise
  private IntFunction<EnrichBook> books;

  private boolean stopping;

  /**
   * An instance of the stage.
   *
   * @param scripts which the instances of a node share
   * @param index of the instance, from 0
   * @param of how many instances there are
   */
  public EnrichVerticle(Node node, ScriptSteps scripts, int index, int of) {
    this.scripts = scripts;
    this.node = node;
    this.index = index;
    this.of = of;
    this.meters = new EnrichMeters(node.meters());
    node.readiness()
        .unready(part(), "the steps of the chain are starting", Set.of(Audience.PUBLISHERS));
  }

  private String part() {
    return "enrich-" + index;
  }

  @Override
  public Future<?> start() {
    books = EnrichBook.of(node, context);
    chain = new LiveChain(new Bricks(vertx, node.config(), meters, scripts::step), node.settings());
    node.reports().share("explain/steps", new StepsReport(node));
    return chain
        .start()
        .compose(started -> registerShards())
        .onSuccess(registered -> node.readiness().ready(part()));
  }

  private Future<Void> registerShards() {
    List<Future<Void>> registered = new ArrayList<>();
    for (int shard = index; shard < node.bus().cluster().shards(); shard += of) {
      registered.add(register(shard));
    }
    return Future.join(registered).mapEmpty();
  }

  private Future<Void> register(int shard) {
    ShardPipeline pipeline = pipeline(books.apply(shard));
    chain.add(pipeline);
    meters.pending(shard, pipeline::pendingBytes);
    meters.unsettled(shard, pipeline::unsettledBytes);
    var consumer = node.bus().enrich().onSend(shard, batch -> onBatch(pipeline, batch));
    registrations.add(consumer::unregister);
    return consumer.completion();
  }

  private ShardPipeline pipeline(EnrichBook of) {
    EnrichConfig config = node.config().enrich();
    SeenIds seen = new SeenIds(config.rememberedIds(), config.maxUnsettledBytes(), meters);
    Outlets outlets = Outlets.of(node, meters);
    return new ShardPipeline(config.maxPendingBytes(), chain.current(), seen, outlets, meters, of);
  }

  private Future<Void> onBatch(ShardPipeline pipeline, Batch batch) {
    if (stopping) {
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_READY, "the node is shutting down"));
    }
    if (!node.bus().cluster().owns(Role.ENRICH, batch.shard())) {
      String message = "shard " + batch.shard() + " is enriched by another node";
      return Future.failedFuture(new Refusal(Refusal.Why.NOT_OWNER, message));
    }
    return pipeline.onBatch(batch.records(), batch.stamp());
  }

  /** Takes nothing more, and ends when all that was taken is stored or refused. */
  @Override
  public Future<?> stop() {
    stopping = true;
    node.readiness().unready(part(), "shutting down", Set.of(Audience.PUBLISHERS));
    return chain
        .drain()
        .compose(none -> Future.join(registrations.stream().map(Supplier::get).toList()))
        .compose(none -> chain.close());
  }
}
