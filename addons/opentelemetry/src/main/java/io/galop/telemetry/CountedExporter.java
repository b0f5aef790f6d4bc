package io.galop.telemetry;

import io.galop.jvm.ErrorText;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what becomes of spans, and says once that the collector does not take them, and once that
 * it does again. On the thread that sends, and on those of its client.
 */
final class CountedExporter implements SpanExporter {
  private static final Logger LOG = LoggerFactory.getLogger(CountedExporter.class);

  private final SpanExporter to;
  private final String url;
  private final SpanMeters meters;
  private final AtomicBoolean isFailing = new AtomicBoolean();

  CountedExporter(SpanExporter to, String url, SpanMeters meters) {
    this.to = to;
    this.url = url;
    this.meters = meters;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    int count = spans.size();
    CompletableResultCode result = send(spans);
    return result.whenComplete(() -> done(count, result));
  }

  private CompletableResultCode send(Collection<SpanData> spans) {
    try {
      return to.export(spans);
    } catch (RuntimeException broken) {
      return CompletableResultCode.ofExceptionalFailure(broken);
    }
  }

  private void done(int count, CompletableResultCode result) {
    meters.waiting.addAndGet(-count);
    if (result.isSuccess()) {
      meters.sent.increment(count);
      if (isFailing.compareAndSet(true, false)) {
        LOG.info("the collector of traces at {} takes spans again", url);
      }
      return;
    }
    meters.failed.increment(count);
    if (isFailing.compareAndSet(false, true)) {
      String why = reason(result.getFailureThrowable());
      LOG.warn("the collector of traces at {} takes no spans: {}", url, why);
    }
  }

  /** What is at the bottom: around it the client and the SDK have put exceptions of their own. */
  private static String reason(@Nullable Throwable failure) {
    Throwable root = failure;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root == null ? "it refused them" : ErrorText.of(root);
  }

  @Override
  public CompletableResultCode flush() {
    return to.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return to.shutdown();
  }
}
