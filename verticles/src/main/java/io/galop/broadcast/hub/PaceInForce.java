package io.galop.broadcast.hub;

import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * How often a registration under caps is sent its records: the least of what it asks for, what its
 * token allows, and the caps.
 *
 * @param maxRate most records per second of each of its topics; 0 is unlimited
 * @param maxBytesPerSecond most bytes of its records per second; 0 is unlimited
 * @param lower what holds besides for a part of its topics, with a rate lower than that
 */
record PaceInForce(double maxRate, long maxBytesPerSecond, List<Cap> lower) {
  /** So that what a viewer is told has a bound. */
  private static final int MOST_TOLD = 100;

  /**
   * Decides it.
   *
   * @param caps those that concern the filter
   * @param asked what the registration asks for
   * @param allowedRate what its token allows; 0 is unlimited
   * @param allowedBytes what its token allows; 0 is unlimited
   */
  static PaceInForce of(
      TopicFilter filter, List<Cap> caps, Pacing asked, double allowedRate, long allowedBytes) {
    DoubleStream ofAll =
        caps.stream().filter(cap -> cap.topics().covers(filter)).mapToDouble(Cap::maxRate);
    double rate =
        DoubleStream.concat(DoubleStream.of(asked.maxRate(), allowedRate), ofAll)
            .filter(one -> one > 0)
            .min()
            .orElse(0);
    List<Cap> lower =
        caps.stream()
            .filter(cap -> cap.maxRate() > 0 && (rate == 0 || cap.maxRate() < rate))
            .toList();
    LongStream bytes =
        LongStream.concat(
            LongStream.of(asked.maxBytesPerSecond(), allowedBytes),
            caps.stream().mapToLong(Cap::maxBytesPerSecond));
    return new PaceInForce(rate, bytes.filter(one -> one > 0).min().orElse(0), lower);
  }

  /** As viewers are told; what is not limited is not there. */
  JsonObject json() {
    JsonObject told = new JsonObject();
    if (maxRate > 0) {
      told.put("maxRate", number(maxRate));
    }
    if (maxBytesPerSecond > 0) {
      told.put("maxBytesPerSecond", maxBytesPerSecond);
    }
    if (!lower.isEmpty()) {
      JsonArray list = new JsonArray();
      lower.stream().limit(MOST_TOLD).forEach(cap -> list.add(json(cap)));
      told.put("lower", list);
    }
    if (lower.size() > MOST_TOLD) {
      told.put("more", lower.size() - MOST_TOLD);
    }
    return told;
  }

  private static JsonObject json(Cap cap) {
    return new JsonObject()
        .put("topics", cap.topics().toString())
        .put("maxRate", number(cap.maxRate()));
  }

  private static Number number(double rate) {
    return rate == Math.rint(rate) ? (Number) (long) rate : (Number) rate;
  }
}
