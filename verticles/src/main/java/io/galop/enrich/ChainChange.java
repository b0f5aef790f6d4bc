package io.galop.enrich;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.node.LiveConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/**
 * Another chain for the shards of an event loop, whose new steps are started. Steps that are in
 * both chains go on with all that they know.
 */
final class ChainChange implements LiveConfig.Prepared {
  private final Loop loop;
  private final Chain before;
  private final Chain next;
  private final List<ShardPipeline> pipelines;
  private final Consumer<Chain> inUse;

  /**
   * A change that can be taken; called on the loop.
   *
   * @param inUse is told of the chain once it is in use
   */
  ChainChange(Chain before, Chain next, List<ShardPipeline> pipelines, Consumer<Chain> inUse) {
    this.loop = Loop.current();
    this.before = before;
    this.next = next;
    this.pipelines = pipelines;
    this.inUse = inUse;
  }

  /**
   * Scripts have threads and state of the whole node, and a way of their own to change while it
   * runs.
   *
   * @throws IllegalArgumentException if the one chain has other scripts than the other one
   */
  static void checkScripts(List<EnricherConfig> before, List<EnricherConfig> next) {
    if (!scripts(before).equals(scripts(next))) {
      throw new IllegalArgumentException(
          "enrich.chain: other script steps, or others in their order, take a restart; 'galop script"
              + " deploy' brings a new version of a script");
    }
  }

  private static List<EnricherConfig> scripts(List<EnricherConfig> chain) {
    return chain.stream().filter(ScriptConfig.class::isInstance).toList();
  }

  @Override
  public Future<Void> take() {
    return loop.call(
        () -> {
          inUse.accept(next);
          return Future.join(pipelines.stream().map(each -> each.follow(next)).toList())
              .compose(followed -> before.without(next).close());
        });
  }

  @Override
  public void leave() {
    loop.call(() -> next.without(before).close());
  }
}
