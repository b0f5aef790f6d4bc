package io.galop.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far each sink is. A sink is whatever counts {@code galop.persist.….lag.bytes}; it is called
 * as its tag {@code sink} or {@code store} says, else as the last word of the meter's prefix.
 */
final class SinkReport {
  private static final String PREFIX = "galop.persist.";
  private static final String LAG_BYTES = ".lag.bytes";
  private final MeterSums meters;

  SinkReport(MeterSums meters) {
    this.meters = meters;
  }

  JsonArray json() {
    JsonArray sinks = new JsonArray();
    meters
        .like(PREFIX, LAG_BYTES)
        .map(this::one)
        .sorted(Comparator.comparing(sink -> sink.getString("name")))
        .forEach(sinks::add);
    return sinks;
  }

  private JsonObject one(Meter lag) {
    List<Tag> tags = lag.getId().getTags();
    String name = lag.getId().getName();
    String prefix = name.substring(0, name.length() - LAG_BYTES.length());
    JsonObject sink = new JsonObject().put("name", name(prefix, tags));
    sink.put("lagBytes", Math.round(meters.find(name, tags).orElse(0.0)));
    meters.find(prefix + ".lag.seconds", tags).ifPresent(s -> sink.put("lagSeconds", tenths(s)));
    put(sink, "lagRecords", tags, prefix + ".lag.records");
    put(sink, "stored", tags, prefix + ".stored");
    put(sink, "retries", tags, prefix + ".retries", prefix + ".failures");
    put(sink, "deadLetters", tags, prefix + ".dead.letters");
    put(sink, "deadLetterFileBytes", tags, prefix + ".dead.letter.file.bytes");
    put(sink, "gaveWay", tags, prefix + ".gave.way");
    put(sink, "inFlight", tags, prefix + ".in.flight");
    return sink;
  }

  private static String name(String prefix, List<Tag> tags) {
    return tags.stream()
        .filter(tag -> tag.getKey().equals("sink") || tag.getKey().equals("store"))
        .map(Tag::getValue)
        .findFirst()
        .orElse(prefix.substring(prefix.lastIndexOf('.') + 1));
  }

  /** The first of these meters that there is. */
  private void put(JsonObject sink, String field, List<Tag> tags, String... names) {
    for (String name : names) {
      Optional<Double> value = meters.find(name, tags);
      if (value.isPresent()) {
        sink.put(field, Math.round(value.get()));
        return;
      }
    }
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
