package io.galop.enrich;

import io.galop.config.enrich.CalculateConfig;
import io.galop.json.JsonDecimals;
import io.galop.json.JsonField;
import io.galop.json.JsonSplice;
import io.galop.json.JsonString;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the figures of a sliding window of the record's topic: {@code {"count":…, "min":…, "max":…,
 * "mean":…, "change":…, "changeTime":…}}. The change is the difference that the value made when it
 * changed last, its time is in microseconds since the epoch; both are absent before the first one.
 * Mean and change are rounded to some twelve significant digits of the values they come from.
 *
 * <p>A time that is further ahead of the node's clock than clocks differ is a wrong one. It counts
 * as just so far ahead: else no later record would be in that topic's window until its time came.
 */
final class Calculate implements EachRecord.Step {
  private static final Logger LOG = LoggerFactory.getLogger(Calculate.class);
  private static final long AHEAD_SECONDS = 60;
  private static final long AHEAD_US = TimeUnit.SECONDS.toMicros(AHEAD_SECONDS);

  private final JsonField field;
  private final String head;
  private final RecentTopics<SlidingWindow> windows;
  private final StringBuilder text = new StringBuilder();
  private final Counter ahead;
  private final LongSupplier nowMs;
  private final boolean isForAnyTime;
  private boolean isAheadSaid;

  /**
   * @param forgotten counts topics that made room for others
   * @param ahead counts records with a time too far ahead
   */
  Calculate(CalculateConfig config, Counter forgotten, Counter ahead, LongSupplier nowMs) {
    this.ahead = ahead;
    this.nowMs = nowMs;
    this.field = new JsonField(config.field());
    this.head = JsonString.quoted(config.into()) + ":{\"count\":";
    long widthUs = config.windowMs() * 1000;
    this.isForAnyTime = widthUs == 0;
    this.windows =
        new RecentTopics<>(
            config.maxTopics(), () -> new SlidingWindow(widthUs, config.maxSamples()), forgotten);
  }

  @Override
  public void apply(Record record, List<Record> to) {
    if (!field.find(record.data()) || !field.isNumber()) {
      to.add(record);
      return;
    }
    double value = field.number();
    if (Double.isInfinite(value)) {
      to.add(record);
      return;
    }
    SlidingWindow window = windows.of(record.topic());
    window.add(counted(record), value, record.timeUs());
    byte[] data = JsonSplice.withField(record.data(), figures(window));
    to.add(new Record(record.id(), record.topic(), record.timeUs(), data));
  }

  /** The record's time, or the latest that is believed. */
  private long counted(Record record) {
    long nowUs = TimeUnit.MILLISECONDS.toMicros(nowMs.getAsLong());
    long aheadUs = record.timeUs() - nowUs;
    if (aheadUs <= AHEAD_US || isForAnyTime) {
      return record.timeUs();
    }
    ahead.increment();
    if (!isAheadSaid) {
      isAheadSaid = true;
      LOG.warn(
          "calculate: the time of a record on {} is {} s ahead of this node's clock, and counts as"
              + " {} s ahead; see to the clocks of both. More are only counted, in"
              + " galop_enrich_times_ahead_total",
          record.topic(),
          TimeUnit.MICROSECONDS.toSeconds(aheadUs),
          AHEAD_SECONDS);
    }
    return nowUs + AHEAD_US;
  }

  private byte[] figures(SlidingWindow window) {
    text.setLength(0);
    text.append(head).append(window.count());
    JsonDecimals.append(window.min(), text.append(",\"min\":"));
    JsonDecimals.append(window.max(), text.append(",\"max\":"));
    double magnitude = window.magnitude();
    JsonDecimals.appendRounded(window.mean(), magnitude, text.append(",\"mean\":"));
    if (window.hasChanged()) {
      double either = Math.max(magnitude, Math.abs(window.change()));
      JsonDecimals.appendRounded(window.change(), either, text.append(",\"change\":"));
      text.append(",\"changeTime\":").append(window.changedUs());
    }
    return JsonSplice.utf8(text.append('}').toString());
  }
}
