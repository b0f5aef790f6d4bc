package io.galop.broadcast.edge;

import io.galop.config.broadcast.JwksConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Audience;
import io.galop.node.Readiness;
import io.galop.retry.Backoff;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the keys of tokens as a set has them that others write: a file, looked at every two
 * seconds, or an address, in an interval of its own and sooner after failures. What cannot be read,
 * or has no key, changes nothing: the last good keys count, with a warning and a meter. Reads and
 * parses on worker threads; all else is on one event loop.
 */
final class JwksReader {
  private static final Logger LOG = LoggerFactory.getLogger(JwksReader.class);
  private static final String PART = "viewer-keys";
  private static final String METERS = "galop.broadcast.token.keys";
  private static final long FILE_MS = 2_000;
  private static final long FIRST_RETRY_MS = 1_000;

  private final Vertx vertx;
  private final Loop loop;
  private final JwksConfig config;
  private final JwksFetch fetch;
  private final TokenKeys keys;
  private final Readiness readiness;
  private final Runnable onOther;
  private final long intervalMs;
  private final Backoff backoff;
  private final Counter read;
  private final Counter failed;
  private volatile boolean isStale = true;
  private volatile long goodNanos = System.nanoTime();

  /** Guarded by this, as is {@link #earlyNanos}: asked from all event loops. */
  private boolean isUnderWay;

  private long earlyNanos;
  private boolean isClosed;
  private long timer = -1;

  /**
   * To be called on the event loop that it is to live on.
   *
   * @param onOther is told when other keys count than before
   */
  JwksReader(
      Vertx vertx,
      JwksConfig config,
      TokenKeys keys,
      MeterRegistry meters,
      Readiness readiness,
      Runnable onOther) {
    this.vertx = vertx;
    this.loop = Loop.current(vertx);
    this.config = config;
    this.fetch = new JwksFetch(vertx, config);
    this.keys = keys;
    this.readiness = readiness;
    this.onOther = onOther;
    this.intervalMs =
        config.url().isEmpty() ? FILE_MS : TimeUnit.SECONDS.toMillis(config.refreshSeconds());
    this.backoff = new Backoff(Math.min(FIRST_RETRY_MS, intervalMs), intervalMs);
    this.earlyNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(intervalMs);
    this.read = looks(meters, "ok");
    this.failed = looks(meters, "failed");
    Gauge.builder(METERS, () -> keys.now().size())
        .description("Keys that viewers' tokens are verified with")
        .register(meters);
    Gauge.builder(METERS + ".stale", () -> isStale ? 1 : 0)
        .description("1 while the set of keys cannot be read")
        .register(meters);
    Gauge.builder(METERS + ".age.seconds", this::ageSeconds)
        .description("Since the set of keys was read last")
        .register(meters);
  }

  private static Counter looks(MeterRegistry meters, String result) {
    return Counter.builder(METERS + ".looks")
        .description("Looks at the set of keys")
        .tag("result", result)
        .register(meters);
  }

  private double ageSeconds() {
    return (System.nanoTime() - goodNanos) / (double) TimeUnit.SECONDS.toNanos(1);
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

  /**
   * Begins.
   *
   * @return succeeds after the first look, whatever that has found
   */
  Future<Void> start() {
    keys.onUnknown(this::lookEarly);
    readiness.unready(PART, "no keys of viewers' tokens are known yet", Set.of(Audience.VIEWERS));
    synchronized (this) {
      isUnderWay = true;
    }
    return look();
  }

  /**
   * A token has an unknown key: looks at once, but at most once in an interval.
   *
   * @return whether a look is under way
   */
  private synchronized boolean lookEarly() {
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
    Future<byte[]> text =
        config.url().isEmpty() ? vertx.executeBlocking(() -> file(config)) : fetch.get();
    return text.compose(
            bytes -> vertx.executeBlocking(() -> Jwks.parse(bytes, config.algorithms())))
        .onSuccess(this::take)
        .onFailure(this::onFailure)
        .transform(
            looked -> {
              goOn(looked.succeeded());
              return Future.succeededFuture();
            });
  }

  private void take(Jwks set) {
    read.increment();
    goodNanos = System.nanoTime();
    boolean isOther = keys.put(set.keys());
    isStale = false;
    readiness.calm(PART, "read again");
    readiness.ready(PART);
    if (isOther) {
      LOG.info("viewers' tokens are verified with {} keys", set.keys().size());
      set.unsafe().forEach(why -> LOG.warn("a key of viewers' tokens: {}", why));
      onOther.run();
    }
  }

  private void onFailure(Throwable failure) {
    failed.increment();
    isStale = true;
    String from = config.url().isEmpty() ? config.file() : config.url();
    readiness.warn(
        PART,
        "the keys of viewers' tokens cannot be read from %s: %s"
            .formatted(from, ErrorText.of(failure)),
        "the last good ones count; see broadcast.token.jwks");
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

  /** Looks no more. */
  synchronized void close() {
    isClosed = true;
  }
}
