package io.galop.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;

/** How old the answer of each polled source is, and what came of the requests. */
final class PollReport {
  private static final String PREFIX = "galop.ingest.poll.";
  private final MeterSums meters;

  PollReport(MeterSums meters) {
    this.meters = meters;
  }

  JsonArray json() {
    JsonArray sources = new JsonArray();
    meters
        .like(PREFIX, "asking")
        .map(this::one)
        .sorted(Comparator.comparing(source -> source.getString("name")))
        .forEach(sources::add);
    return sources;
  }

  private JsonObject one(Meter asking) {
    Tag source = Tag.of("source", asking.getId().getTag("source"));
    double age = value("age.seconds", source);
    return new JsonObject()
        .put("name", source.getValue())
        .put("asking", value("asking", source) > 0)
        .put("asleep", value("asleep", source) > 0)
        .put("ageSeconds", Math.round(age * 10) / 10.0)
        .put("changed", requests("changed", source))
        .put("unchanged", requests("unchanged", source))
        .put("failed", requests("failed", source))
        .put("topics", Math.round(value("topics", source)));
  }

  private long requests(String outcome, Tag source) {
    return Math.round(value("requests", source, Tag.of("outcome", outcome)));
  }

  private double value(String name, Tag... tags) {
    return meters.find(PREFIX + name, List.of(tags)).orElse(0.0);
  }
}
