package io.galop.telemetry;

import io.galop.config.TelemetryConfig;
import io.galop.node.Node;
import io.galop.node.TraceBrick;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a span of each stage that a record of a trace reaches: from the moment in which the door
 * read it, as a child of the publisher's span. What is sent is bounded here, below the bound of the
 * SDK's queue, which drops without a number.
 */
final class SpanSender implements TraceBrick.Sender {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(SpanSender.class);

  /** Its warnings are told by {@link CountedExporter}; kept, since levels of lost ones are lost. */
  private static final Logger SDK = Logger.getLogger("io.opentelemetry");

  private static final AttributeKey<String> DOOR = AttributeKey.stringKey("galop.door");
  private static final AttributeKey<String> DOOR_NODE = AttributeKey.stringKey("galop.door.node");
  private static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("galop.transport");
  private static final AttributeKey<String> CLOCK = AttributeKey.stringKey("galop.clock");

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int MOST_AT_ONCE = 512;
  private static final long CLOSE_SECONDS = 3;

  private final int maxWaiting;
  private final SpanMeters meters;
  private final SdkTracerProvider provider;
  private final Tracer tracer;

  SpanSender(Node node) {
    this(
        node.config().telemetry(),
        new SpanMeters(node.meters()),
        Resource.create(
            Attributes.builder()
                .put("service.name", "galop")
                .put("service.instance.id", node.bus().cluster().self().id())
                .put("galop.node", node.bus().cluster().self().name())
                .build()));
  }

  private SpanSender(TelemetryConfig config, SpanMeters meters, Resource resource) {
    SDK.setLevel(Level.OFF);
    this.maxWaiting = config.maxWaitingSpans();
    this.meters = meters;
    this.provider =
        SdkTracerProvider.builder()
            .setResource(resource)
            .setSampler(Sampler.alwaysOn())
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter(config, meters))
                    .setMaxQueueSize(maxWaiting)
                    .setMaxExportBatchSize(Math.min(MOST_AT_ONCE, maxWaiting))
                    .setScheduleDelay(EVERY)
                    .build())
            .build();
    this.tracer = provider.get("io.galop");
  }

  private static SpanExporter exporter(TelemetryConfig config, SpanMeters meters) {
    return new CountedExporter(
        OtlpHttpSpanExporter.builder()
            .setEndpoint(config.tracesUrl())
            .setHeaders(() -> headers(config))
            .setTimeout(Duration.ofMillis(config.timeoutMs()))
            .build(),
        config.tracesUrl(),
        meters);
  }

  /** Asked before each request, on the thread that sends it: secrets may be exchanged meanwhile. */
  private static Map<String, String> headers(TelemetryConfig config) {
    try {
      return config.readHeaders();
    } catch (IOException e) {
      // Alone, since the log tells what is at the bottom.
      throw new IllegalStateException(e.getMessage());
    }
  }

  @Override
  public void reached(Reached reached) {
    if (meters.waiting.incrementAndGet() > maxWaiting) {
      meters.waiting.decrementAndGet();
      meters.dropped.increment();
      return;
    }
    try {
      span(reached).startSpan().end(reached.endUs(), TimeUnit.MICROSECONDS);
    } catch (RuntimeException broken) {
      meters.waiting.decrementAndGet();
      meters.dropped.increment();
      LOG.debug("no span could be made", broken);
    }
  }

  private SpanBuilder span(Reached reached) {
    SpanContext parent =
        SpanContext.createFromRemoteParent(
            reached.trace().traceId(),
            reached.trace().parentSpanId(),
            TraceFlags.fromByte((byte) reached.trace().flags()),
            TraceState.getDefault());
    SpanBuilder span =
        tracer
            .spanBuilder("galop " + reached.stage())
            .setParent(Context.root().with(Span.wrap(parent)))
            .setStartTimestamp(reached.beginUs(), TimeUnit.MICROSECONDS)
            .setAttribute(DOOR, reached.stamp().door())
            .setAttribute(DOOR_NODE, reached.stamp().node());
    if (!reached.transport().isEmpty()) {
      span.setAttribute(TRANSPORT, reached.transport());
    }
    return reached.isClockKnown() ? span : span.setAttribute(CLOCK, "unknown");
  }

  @Override
  public void close() {
    provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
