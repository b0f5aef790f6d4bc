package io.galop.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What the verticles of the user's own have done: one for each {@code galop.verticle.instances}.
 */
final class VerticleReport {
  private static final String PREFIX = "galop.verticle.";
  private static final List<String> COUNTED =
      List.of(
          "instances",
          "published",
          "rejected",
          "in.flight.bytes",
          "consumed",
          "waiting.bytes",
          "dropped",
          "gaps",
          "ticks",
          "ticks.missed",
          "errors");

  private final MeterSums meters;

  VerticleReport(MeterSums meters) {
    this.meters = meters;
  }

  JsonArray json() {
    JsonArray verticles = new JsonArray();
    meters
        .like(PREFIX, "instances")
        .map(this::one)
        .sorted(Comparator.comparing(verticle -> verticle.getString("name")))
        .forEach(verticles::add);
    return verticles;
  }

  private JsonObject one(Meter instances) {
    List<Tag> tags = instances.getId().getTags();
    JsonObject verticle = new JsonObject().put("name", tags.get(0).getValue());
    for (String what : COUNTED) {
      verticle.put(camelCase(what), Math.round(meters.find(PREFIX + what, tags).orElse(0.0)));
    }
    return verticle;
  }

  private static String camelCase(String dotted) {
    StringBuilder name = new StringBuilder();
    for (String part : dotted.split("\\.")) {
      name.append(
          name.isEmpty()
              ? part
              : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
    }
    return name.toString();
  }
}
