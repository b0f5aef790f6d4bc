package io.galop.persist.log;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a Log that is open. */
record OpenLog(
    LogFiles files,
    Retention retention,
    Keeper keeper,
    AppendQueue queue,
    Durable durable,
    LogWriter writer,
    Thread thread,
    LogMetrics metrics) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenLog.class);
  private static final long LONGEST_FLUSH_MS = 10_000;

  /** Whether what may be in flight would not fit into what there is on disk. */
  boolean isShortOfRoom(long inFlightBytes) {
    return !files.spare().isReady() && writer.left() < inFlightBytes;
  }

  /** Whether that is so because there is no room for another segment. */
  boolean isOverQuota(long inFlightBytes) {
    return files.spare().isNoRoom() && isShortOfRoom(inFlightBytes);
  }

  void close() {
    queue.close(new Refusal(Why.NOT_READY, "the Log is closing"));
    try {
      thread.join(LONGEST_FLUSH_MS);
      keeper.close();
      thread.join(LONGEST_FLUSH_MS);
      files.extent().close();
      files.lock().close();
    } catch (IOException e) {
      LOG.warn("the Log could not be closed: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Shows how full it is. */
  void watch(MeterRegistry meters, long inFlightBytes) {
    gauge(meters, "queue", "bytes", "Bytes that wait for the disk", log -> log.queue.bytes());
    gauge(
        meters,
        "size",
        "bytes",
        "Bytes of the Log on the disk",
        log -> log.files.segments().diskBytes());
    gauge(meters, "segments", "files", "Segments of the Log", log -> log.files.segments().count());
    gauge(
        meters,
        "over.quota",
        "state",
        "1: records are refused, as there is no room for them",
        log -> log.isOverQuota(inFlightBytes) ? 1 : 0);
    gauge(
        meters,
        "no.room",
        "state",
        "1: there is no room for another segment behind the one in use",
        log -> log.files.spare().isNoRoom() ? 1 : 0);
  }

  private void gauge(
      MeterRegistry meters,
      String name,
      String unit,
      String description,
      ToDoubleFunction<OpenLog> value) {
    Gauge.builder(LogMetrics.PREFIX + name, this, value)
        .baseUnit(unit)
        .description(description)
        .register(meters);
  }
}
