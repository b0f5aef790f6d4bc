package io.galop.broadcast.edge;

import io.galop.config.broadcast.JwksConfig;
import io.galop.config.broadcast.TokenConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Audience;
import io.galop.node.LiveConfig;
import io.galop.node.Readiness;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Where the keys of viewers' tokens come from: a file with one, or a set that others write. Either
 * may become the other, or be somewhere else, while the node runs. Whoever is connected by a key
 * that no longer counts is sent away then: a key is exchanged when somebody else may have it, too.
 * On one event loop.
 */
final class TokenKeySource {
  private static final String PART = "viewer-keys";
  private static final List<String> PATHS = List.of("keyFile", "algorithm", "jwks");

  private final Vertx vertx;
  private final Loop loop;
  private final TokenKeys keys;
  private final JwksMeters meters;
  private final Readiness readiness;
  private final Supplier<Future<Integer>> sweep;

  /** Of the set in force; empty: the one key of a file counts. */
  private Optional<JwksReader> reader = Optional.empty();

  /**
   * To be called on the event loop that it is to live on.
   *
   * @param sweep sends away whose tokens are no longer good
   */
  TokenKeySource(
      Vertx vertx,
      TokenKeys keys,
      JwksMeters meters,
      Readiness readiness,
      Supplier<Future<Integer>> sweep) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.keys = keys;
    this.meters = meters;
    this.readiness = readiness;
    this.sweep = sweep;
  }

  /**
   * Begins with what a node is started with, and takes changes from now on.
   *
   * @return succeeds after the first look at a set, whatever that has found
   */
  Future<Void> start(TokenConfig config, LiveConfig settings) {
    loop.check();
    LiveConfig.Part part = next -> prepare(next.broadcast().token());
    PATHS.forEach(key -> settings.offerPrepared("broadcast.token." + key, part));
    if (!config.jwks().isGiven()) {
      return Future.succeededFuture();
    }
    readiness.unready(PART, "no keys of viewers' tokens are known yet", Set.of(Audience.VIEWERS));
    return read(reader(config.jwks())).start();
  }

  private JwksReader reader(JwksConfig config) {
    return new JwksReader(vertx, config, keys, meters, readiness, sweep);
  }

  private JwksReader read(JwksReader next) {
    close();
    reader = Optional.of(next);
    keys.onUnknown(next::lookEarly);
    return next;
  }

  /** A set has to be there now, though it may be away for a while later. From any thread. */
  private Future<LiveConfig.Prepared> prepare(TokenConfig next) {
    if (!next.isAsked()) {
      throw new IllegalArgumentException(
          "broadcast.token: has neither keyFile nor jwks now; to ask for no tokens takes a restart");
    }
    return next.jwks().isGiven()
        ? loop.call(() -> prepareSet(next.jwks()))
        : vertx.executeBlocking(() -> TokenKeys.of(next)).map(one -> new Change(() -> taken(one)));
  }

  private Future<LiveConfig.Prepared> prepareSet(JwksConfig config) {
    JwksReader next = reader(config);
    KeySet before = keys.now();
    return read(config, next).map(set -> new Change(() -> take(config, next, before, set)));
  }

  private static Future<Jwks> read(JwksConfig config, JwksReader next) {
    return next.read()
        .recover(
            failure -> Future.failedFuture(new IllegalArgumentException(why(config, failure))));
  }

  private static String why(JwksConfig config, Throwable failure) {
    return "broadcast.token.jwks.%s: no keys can be read from %s: %s; the keys of before still count"
        .formatted(config.url().isEmpty() ? "file" : "url", config.source(), ErrorText.of(failure));
  }

  private Future<Void> taken(TokenKeys one) {
    close();
    keys.onUnknown(() -> false);
    keys.become(one);
    meters.noSet();
    readiness.calm(PART, "a file with one key counts in place of a set");
    readiness.ready(PART);
    return Future.succeededFuture();
  }

  /**
   * While other parts got ready, the reader in force may have learnt that a key is gone, which must
   * not count again: what was read before that is read anew.
   */
  private Future<Void> take(JwksConfig config, JwksReader next, KeySet before, Jwks set) {
    KeySet now = keys.now();
    if (!now.isSame(before)) {
      return read(config, next).compose(later -> take(config, next, now, later));
    }
    keys.become(TokenKeys.of(config, set));
    read(next).goOnFrom(set);
    return Future.succeededFuture();
  }

  /** Looks no more. */
  void close() {
    reader.ifPresent(JwksReader::close);
    reader = Optional.empty();
  }

  private final class Change implements LiveConfig.Prepared {
    private final Supplier<Future<Void>> taking;

    Change(Supplier<Future<Void>> taking) {
      this.taking = taking;
    }

    @Override
    public Future<Void> take() {
      // Of all: an earlier sweep may have failed.
      return loop.call(() -> taking.get().compose(taken -> sweep.get().mapEmpty()));
    }

    @Override
    public void leave() {
      // It was only read.
    }
  }
}
