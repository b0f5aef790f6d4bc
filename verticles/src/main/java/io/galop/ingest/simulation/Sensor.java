package io.galop.ingest.simulation;

import java.util.SplittableRandom;

/** A made-up sensor: a daily course, a slow wander and a little noise. */
final class Sensor {
  private static final double DAY_US = 86_400e6;
  private static final double PULL = 0.02;

  private record Kind(String topic, String name, String unit, double mean, double swing) {}

  private static final Kind[] KINDS = {
    new Kind("track-temperature", "Track temperature", "°C", 17, 6),
    new Kind("wind-speed", "Wind speed", "m/s", 5, 2),
    new Kind("humidity", "Humidity", "%", 60, 15),
    new Kind("going-stick", "Going", "", 8, 0.5)
  };

  private final Kind kind;
  private final String topic;
  private final SplittableRandom random;
  private double wander;

  Sensor(int index, long seed) {
    int round = index / KINDS.length;
    this.kind = KINDS[index % KINDS.length];
    this.topic = "sensor/" + kind.topic + (round == 0 ? "" : "-" + (round + 1));
    this.random = new SplittableRandom(seed + index);
  }

  void measure(long nowUs, Output output) {
    wander += (random.nextDouble() - 0.5) * kind.swing * 0.2 - wander * PULL;
    double daily = kind.swing * 0.5 * Math.sin(nowUs / DAY_US * 2 * Math.PI);
    double noise = (random.nextDouble() - 0.5) * kind.swing * 0.05;
    long hundredths = Math.max(0, Math.round((kind.mean + daily + wander + noise) * 100));
    StringBuilder data = new StringBuilder(80);
    data.append("{\"name\":\"").append(kind.name).append("\",\"value\":");
    PriceLadder.write(data, hundredths).append(",\"unit\":\"").append(kind.unit).append("\"}");
    output.add(topic, nowUs, data.toString());
  }
}
