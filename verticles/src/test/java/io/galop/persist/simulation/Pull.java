package io.galop.persist.simulation;

import io.galop.bus.Page;
import io.galop.persist.ownership.ShardState.TakingOver;
import io.galop.record.Position;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks other processes for pages, as {@code ShardPull} does on an event loop. */
final class Pull {
  private final World world;
  private final StoringProcess process;

  Pull(World world, StoringProcess process) {
    this.world = world;
    this.process = process;
  }

  boolean isWanted(int attempt) {
    return process.state() instanceof TakingOver state && state.known().attempt() == attempt;
  }

  Optional<StoringProcess> find(String id) {
    return world.seenBy(process).stream().filter(one -> one.id.equals(id)).findFirst();
  }

  Future<Void> pages(
      int attempt, String from, String next, Supplier<Position> since, Consumer<Page> taker) {
    Position after = since.get();
    Optional<StoringProcess> other = find(from);
    if (other.isEmpty()) {
      return Future.failedFuture("gone");
    }
    return world
        .network
        .request(
            process, other.get(), Actor.TAKEOVER_TIMEOUT_MS, () -> other.get().onFetch(after, next))
        .compose(
            page -> {
              if (!isWanted(attempt)) {
                return Future.failedFuture("given away again");
              }
              taker.accept(page);
              return page.next().isEmpty()
                  ? Future.succeededFuture()
                  : pages(attempt, from, page.next(), since, taker);
            });
  }

  Future<Page> topics(String from) {
    return find(from)
        .map(
            other ->
                world.network.request(process, other, Actor.TAKEOVER_TIMEOUT_MS, other::onTopics))
        .orElseGet(() -> Future.failedFuture("gone"));
  }
}
