package io.galop.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;

/**
 * Makes the text of all meters on another thread: it takes many milliseconds, in which an event
 * loop would not serve its viewers. One is made at a time; all who ask meanwhile share the next
 * one, so that nobody is told what was before the question. For one event loop.
 */
final class Scrape {
  private final PrometheusMeterRegistry registry;
  private final WorkerExecutor thread;
  private Future<String> underWay = Future.succeededFuture("");
  private Future<String> next;

  /**
   * @param thread where it is made
   */
  Scrape(WorkerExecutor thread, PrometheusMeterRegistry registry) {
    this.registry = registry;
    this.thread = thread;
  }

  /** All meters in Prometheus' text format. */
  Future<String> text() {
    if (next != null) {
      return next;
    }
    if (underWay.isComplete()) {
      underWay = make();
      return underWay;
    }
    next = underWay.transform(ended -> onEnded());
    return next;
  }

  private Future<String> onEnded() {
    next = null;
    underWay = make();
    return underWay;
  }

  private Future<String> make() {
    return thread.executeBlocking(registry::scrape, false);
  }
}
