package io.galop;

import io.galop.vertx.DirectMemory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** Where a node counts: its own meters and those of the JVM. */
final class Metrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  Metrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    Gauge.builder("galop.node.direct", DirectMemory::usedBytes)
        .baseUnit("bytes")
        .description("Bytes outside the heap that Netty has taken, the RAM tier's included")
        .register(registry);
    Gauge.builder("galop.log.waiting", QueuedConsole::waiting)
        .baseUnit("lines")
        .description("Lines of the log that wait for whoever reads standard error")
        .register(registry);
    FunctionCounter.builder("galop.log.left.out", this, any -> QueuedConsole.leftOut())
        .baseUnit("lines")
        .description(
            "Lines of the log that could not be written, as when nobody reads standard error")
        .register(registry);
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
