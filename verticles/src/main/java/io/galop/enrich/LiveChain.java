package io.galop.enrich;

import io.galop.config.GalopConfig;
import io.galop.config.enrich.EnricherConfig;
import io.galop.node.LiveConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The chain that the shards of an event loop go by, and the change to another one. All on that
 * loop, save for {@link #prepare}.
 */
final class LiveChain implements LiveConfig.Part {
  /** The path of the configuration that it takes. */
  static final String PATH = "enrich.chain";

  private final Loop loop = Loop.current();
  private final Bricks bricks;
  private final LiveConfig settings;
  private final List<ShardPipeline> pipelines = new ArrayList<>();

  /** What new Batches go by; a shard whose script is at work may still go by the one before. */
  private Chain chain;

  LiveChain(Bricks bricks, LiveConfig settings) {
    this.bricks = bricks;
    this.settings = settings;
    this.chain = bricks.chain();
  }

  Chain current() {
    return chain;
  }

  /** A shard that changes with the others. */
  void add(ShardPipeline pipeline) {
    pipelines.add(pipeline);
  }

  /** Starts the steps; then other ones may come. */
  Future<Void> start() {
    return chain.start().onSuccess(started -> settings.offerPrepared(PATH, this));
  }

  /** Succeeds when all that the shards took is stored or refused. */
  Future<Void> drain() {
    return Future.join(pipelines.stream().map(ShardPipeline::drain).toList()).mapEmpty();
  }

  Future<Void> close() {
    return chain.close();
  }

  @Override
  public Future<LiveConfig.Prepared> prepare(GalopConfig next) {
    return loop.call(() -> prepare(next.enrich().chain()));
  }

  /** Starts what is new of another chain. */
  private Future<LiveConfig.Prepared> prepare(List<EnricherConfig> wanted) {
    ChainChange.checkScripts(settings.current().enrich().chain(), wanted);
    Chain next = chain.next(wanted, bricks::enricher);
    ChainChange change = new ChainChange(chain, next, pipelines, used -> chain = used);
    return next.without(chain).start().onFailure(failure -> change.leave()).map(started -> change);
  }
}
