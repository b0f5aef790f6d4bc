package io.galop.enrich;

import io.galop.config.enrich.CalculateConfig;
import io.galop.json.JsonDecimals;
import io.galop.json.JsonField;
import io.galop.json.JsonSplice;
import io.galop.json.JsonString;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import java.util.List;

/**
 * Adds the figures of a sliding window of the record's topic: {@code {"count":…, "min":…, "max":…,
 * "mean":…, "change":…, "changeTime":…}}. The change is the difference that the value made when it
 * changed last, its time is in microseconds since the epoch; both are absent before the first one.
 * Mean and change are rounded to some twelve significant digits of the values they come from.
 */
final class Calculate implements EachRecord.Step {
  private final JsonField field;
  private final String head;
  private final RecentTopics<SlidingWindow> windows;
  private final StringBuilder text = new StringBuilder();

  Calculate(CalculateConfig config, Counter forgotten) {
    this.field = new JsonField(config.field());
    this.head = JsonString.quoted(config.into()) + ":{\"count\":";
    long widthUs = config.windowMs() * 1000;
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
    window.add(record.timeUs(), value);
    byte[] data = JsonSplice.withField(record.data(), figures(window));
    to.add(new Record(record.id(), record.topic(), record.timeUs(), data));
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
