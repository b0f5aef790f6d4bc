package io.galop.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;

/** What each publisher sent to this node, and what was refused of it. */
final class PublisherReport {
  private static final String PREFIX = "galop.ingest.publisher.";
  private final MeterSums meters;

  PublisherReport(MeterSums meters) {
    this.meters = meters;
  }

  JsonArray json() {
    JsonArray publishers = new JsonArray();
    meters
        .like(PREFIX, "throttled")
        .map(this::one)
        .sorted(Comparator.comparing(publisher -> publisher.getString("name")))
        .forEach(publishers::add);
    return publishers;
  }

  private JsonObject one(Meter throttled) {
    Tag name = Tag.of("publisher", throttled.getId().getTag("publisher"));
    return new JsonObject()
        .put("name", name.getValue())
        .put("connections", value("connections", name))
        .put("records", value("records", name))
        .put("bytes", value("bytes", name))
        .put("rejected", value("rejected", name))
        .put("overQuota", value("over.quota", name))
        .put("throttled", value("throttled", name))
        .put("inFlightBytes", value("in.flight.bytes", name));
  }

  private long value(String what, Tag name) {
    return Math.round(meters.find(PREFIX + what, List.of(name)).orElse(0.0));
  }
}
