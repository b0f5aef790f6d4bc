package io.galop.ops.audit;

import io.galop.config.FileFault;
import io.galop.config.GalopConfig;
import io.galop.node.Node;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log of a node. Lines wait for a thread of its own, 256 at most; one more is not
 * written, and who wanted it is told so. A line that is not written stands in the node's log. Safe
 * to call from any thread.
 */
public final class AuditTrail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
  private static final String PART = "audit log";
  private static final int MOST_WAITING = 256;
  private static final long LAST_LINES_SECONDS = 5;

  private final Node node;
  private final Path path;
  private final AuditFile file;
  private final Counter unwritten;
  private final ThreadPoolExecutor writer;

  /** Of a node; opens nothing yet. */
  public AuditTrail(Node node) {
    this.node = node;
    this.path = path(node.config());
    this.file = new AuditFile(path, node.config().management().audit());
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "galop-audit");
              thread.setDaemon(true);
              return thread;
            });
    this.unwritten =
        Counter.builder("galop.management.audit.unwritten")
            .description("Lines that could not be written to the audit log")
            .register(node.meters());
    Gauge.builder("galop.management.audit.waiting", writer.getQueue(), queue -> queue.size())
        .description("Lines that wait to be written to the audit log")
        .register(node.meters());
    for (String outcome : new String[] {"done", "failed", AuditLine.REFUSED}) {
      acts(outcome);
    }
  }

  /** From now on hears of the acts that parts of the node tell of, until it is closed. */
  public void listen() {
    node.acts().listen(act -> write(AuditLine.of(act)));
  }

  /** An act was refused, and there is no line of it. */
  void refusedUnwritten() {
    acts(AuditLine.REFUSED).increment();
  }

  private static Path path(GalopConfig config) {
    return Path.of(config.node().dataDir()).resolve("audit.log");
  }

  private Counter acts(String outcome) {
    return Counter.builder("galop.management.acts")
        .description("Acts on the node, in the audit log or lost to it")
        .tag("outcome", outcome)
        .register(node.meters());
  }

  /**
   * Writes a line.
   *
   * @return done when it is on the disk; fails with what an operator has to know, on any thread
   */
  public Future<Void> write(AuditLine line) {
    if (!line.outcome().equals(AuditLine.BEGUN)) {
      acts(line.outcome()).increment();
    }
    Promise<Void> written = Promise.promise();
    try {
      writer.execute(() -> append(line, written));
    } catch (RejectedExecutionException e) {
      fail(line, "too many lines wait for the disk", written);
    }
    return written.future();
  }

  /**
   * The last acts; blocks.
   *
   * @throws IOException if the file cannot be read
   */
  public JsonObject last() throws IOException {
    return AuditTail.json(path);
  }

  private void append(AuditLine line, Promise<Void> written) {
    try {
      file.append(line.toString());
      node.readiness().calm(PART, "it is written again");
      written.complete();
    } catch (IOException e) {
      fail(line, FileFault.of(e), written);
    } catch (RuntimeException e) {
      fail(line, e.toString(), written);
    }
  }

  private void fail(AuditLine line, String why, Promise<Void> written) {
    unwritten.increment();
    LOG.error("the audit log {} cannot be written: {}: {}", path, why, line);
    String what = "the audit log cannot be written: " + why;
    node.readiness().warn(PART, what, "make room and see who may write in " + path.getParent());
    written.fail(what);
  }

  /** Waits for what is to be written; blocks. */
  @Override
  public void close() {
    node.acts().listen(act -> {});
    writer.shutdown();
    try {
      if (!writer.awaitTermination(LAST_LINES_SECONDS, TimeUnit.SECONDS)) {
        LOG.error("the audit log {} lacks the last lines: the disk does not answer", path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
