package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenConfig;
import io.galop.node.LiveConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;

/**
 * Another key for viewers' tokens out of another file, while a node runs. Whoever is connected by a
 * token of the key before is sent away: a key is exchanged when somebody else may have it, too.
 */
final class KeyFileChange {
  private final Vertx vertx;
  private final TokenKeys keys;
  private final Supplier<Future<Integer>> sweep;

  /**
   * @param sweep sends away whose tokens are no longer good
   */
  KeyFileChange(Vertx vertx, TokenKeys keys, Supplier<Future<Integer>> sweep) {
    this.vertx = vertx;
    this.keys = keys;
    this.sweep = sweep;
  }

  /** Takes changes from now on. */
  void offer(LiveConfig settings) {
    for (String key : List.of("keyFile", "algorithm")) {
      settings.offerPrepared("broadcast.token." + key, next -> prepare(next.broadcast().token()));
    }
  }

  private Future<LiveConfig.Prepared> prepare(TokenConfig next) {
    if (next.keyFile().isEmpty()) {
      throw new IllegalArgumentException(
          "broadcast.token.keyFile: to ask for no tokens, or for those of a set, takes a restart");
    }
    return vertx.executeBlocking(() -> TokenKeys.of(next)).map(Change::new);
  }

  private final class Change implements LiveConfig.Prepared {
    private final TokenKeys next;

    Change(TokenKeys next) {
      this.next = next;
    }

    @Override
    public Future<Void> take() {
      keys.become(next);
      return sweep.get().mapEmpty(); // also when it was taken before: a sweep may have failed
    }

    @Override
    public void leave() {
      // It was only read.
    }
  }
}
