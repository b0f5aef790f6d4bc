package io.galop.broadcast.edge;

import io.galop.config.broadcast.JwksConfig;
import io.galop.jvm.ErrorText;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Looks again and again at a set of keys that others write: a file, every two seconds, or an
 * address, in an interval of its own and sooner after failures. Reads and parses on worker threads;
 * all else is on one event loop.
 */
final class JwksReader {
  private static final long FILE_MS = 2_000;
  private static final long FIRST_RETRY_MS = 1_000;

  private final Vertx vertx;
  private final Loop loop;
  private final JwksConfig config;
  private final JwksFetch fetch;
  private final Listener listener;
  private final long intervalMs;
  private final Backoff backoff;

  /** Guarded by this, as is {@link #earlyNanos}: asked from all event loops. */
  private boolean isUnderWay;

  private long earlyNanos;
  private boolean isClosed;
  private long timer = -1;

  /** Is told what each look has found, on the event loop; not after {@link #close}. */
  interface Listener {
    void onSet(Jwks set);

    /** It cannot be read, or has no key. */
    void onFailure(JwksConfig config, Throwable failure);
  }

  /** To be called on the event loop that it is to live on. */
  JwksReader(Vertx vertx, JwksConfig config, Listener listener) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.config = config;
    this.fetch = new JwksFetch(vertx, config);
    this.listener = listener;
    this.intervalMs =
        config.url().isEmpty() ? FILE_MS : TimeUnit.SECONDS.toMillis(config.refreshSeconds());
    this.backoff = new Backoff(Math.min(FIRST_RETRY_MS, intervalMs), intervalMs);
    this.earlyNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(intervalMs);
  }

  /**
   * Tries a file, before anything is started; an address may be silent for a while. Blocks.
   *
   * @throws IllegalArgumentException beginning with a dotted path
   */
  static void check(JwksConfig config) {
    if (!config.file().isEmpty()) {
      try {
        Jwks.parse(file(config), config.algorithms());
      } catch (IOException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "broadcast.token.jwks.file must name a JSON Web Key Set: '%s': %s"
                .formatted(config.file(), ErrorText.of(e)),
            e);
      }
    }
    if (!config.caFile().isEmpty() && !Files.isReadable(Path.of(config.caFile()))) {
      throw new IllegalArgumentException(
          "broadcast.token.jwks.caFile must name a file that can be read, not '%s'"
              .formatted(config.caFile()));
    }
  }

  private static byte[] file(JwksConfig config) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(config.file()))) {
      byte[] bytes = in.readNBytes(config.maxBytes() + 1);
      if (bytes.length > config.maxBytes()) {
        throw new IOException("it is larger than maxBytes, " + config.maxBytes());
      }
      return bytes;
    }
  }

  /** Looks once, and changes nothing. On the event loop. */
  Future<Jwks> read() {
    loop.check();
    Future<byte[]> text =
        config.url().isEmpty() ? vertx.executeBlocking(() -> file(config)) : fetch.get();
    return loop.bring(
        text.compose(bytes -> vertx.executeBlocking(() -> Jwks.parse(bytes, config.algorithms()))));
  }

  /**
   * Begins with a look.
   *
   * @return succeeds after it, whatever it has found
   */
  Future<Void> start() {
    synchronized (this) {
      isUnderWay = true;
    }
    return look();
  }

  /** Begins with what was {@link #read} just now. */
  void goOn() {
    goOn(true);
  }

  /**
   * A token has an unknown key: looks at once, but at most once in an interval. From any thread.
   *
   * @return whether a look is under way
   */
  synchronized boolean lookEarly() {
    if (isUnderWay) {
      return true;
    }
    long now = System.nanoTime();
    if (isClosed || now - earlyNanos < TimeUnit.MILLISECONDS.toNanos(intervalMs)) {
      return false;
    }
    earlyNanos = now;
    isUnderWay = true;
    loop.run(this::look);
    return true;
  }

  private synchronized void lookInTurn() {
    timer = -1;
    if (!isUnderWay && !isClosed) {
      isUnderWay = true;
      look();
    }
  }

  private Future<Void> look() {
    return read()
        .transform(
            looked -> {
              if (!isClosed()) {
                if (looked.succeeded()) {
                  listener.onSet(looked.result());
                } else {
                  listener.onFailure(config, looked.cause());
                }
              }
              goOn(looked.succeeded());
              return Future.succeededFuture();
            });
  }

  private synchronized void goOn(boolean isGood) {
    isUnderWay = false;
    if (isGood) {
      backoff.reset();
    }
    if (timer >= 0) {
      vertx.cancelTimer(timer);
    }
    if (!isClosed) {
      timer = vertx.setTimer(isGood ? intervalMs : backoff.nextMs(), due -> lookInTurn());
    }
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  /** Looks no more; what a look under way finds counts no more. */
  synchronized void close() {
    isClosed = true;
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }
}
