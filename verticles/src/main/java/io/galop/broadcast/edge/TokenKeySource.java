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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the keys of viewers' tokens come from: a file with one, or a set that others write. Either
 * may become the other, or be somewhere else, while the node runs. Whoever is connected by a key
 * that no longer counts is sent away then: a key is exchanged when somebody else may have it, too.
 * A set that cannot be read, or has no key, changes nothing: the last good keys count, with a
 * warning and a meter. On one event loop.
 */
final class TokenKeySource implements JwksReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(TokenKeySource.class);
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
    meters.awaitSet();
    return follow(new JwksReader(vertx, config.jwks(), this)).start();
  }

  private JwksReader follow(JwksReader next) {
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
        : vertx.executeBlocking(() -> TokenKeys.of(next)).map(one -> new Change(() -> take(one)));
  }

  private Future<LiveConfig.Prepared> prepareSet(JwksConfig config) {
    JwksReader next = new JwksReader(vertx, config, this);
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

  private Future<Void> take(TokenKeys one) {
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
    good();
    say(set);
    follow(next).goOn();
    return Future.succeededFuture();
  }

  @Override
  public void onSet(Jwks set) {
    boolean isOther = keys.put(set.keys());
    good();
    if (isOther) {
      say(set);
      sweep.get().onFailure(why -> LOG.warn("not all viewers of old keys were sent away", why));
    }
  }

  private void good() {
    meters.good();
    readiness.calm(PART, "read again");
    readiness.ready(PART);
  }

  private static void say(Jwks set) {
    LOG.info("viewers' tokens are verified with {} keys", set.keys().size());
    set.unsafe().forEach(why -> LOG.warn("a key of viewers' tokens: {}", why));
  }

  @Override
  public void onFailure(JwksConfig config, Throwable failure) {
    meters.failed();
    readiness.warn(
        PART,
        "the keys of viewers' tokens cannot be read from %s: %s"
            .formatted(config.source(), ErrorText.of(failure)),
        "the last good ones count; see broadcast.token.jwks");
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
