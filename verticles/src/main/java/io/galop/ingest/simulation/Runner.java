package io.galop.ingest.simulation;

import java.util.SplittableRandom;

/** One horse in one race: how it is fancied, and what was last traded on it. */
final class Runner {
  private static final int LADDER = 3;

  private final String market;
  private final int id;
  private final String name;
  private double fancy;
  private int price;
  private int changeBefore;
  private long volume;

  /**
   * A runner.
   *
   * @param fancy the logarithm of how much money wants it, relative to the others
   */
  Runner(String market, int id, String name, double fancy) {
    this.market = market;
    this.id = id;
    this.name = name;
    this.fancy = fancy;
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  double weight() {
    return Math.exp(fancy);
  }

  void move(double by) {
    fancy = Math.min(9, Math.max(-9, fancy + by));
  }

  /** Trades it at its chance among all. */
  void trade(double allWeights, SplittableRandom random) {
    int before = price;
    price = PriceLadder.nearest(allWeights / weight());
    changeBefore = before == 0 ? 0 : price - before;
    volume += 200 + random.nextInt(1 + 2_000_000 / price);
  }

  String topic() {
    return "race/" + market + "/runner/" + id;
  }

  /** The data of its record: prices in decimal odds, volume and sizes in money. */
  String data(SplittableRandom random) {
    StringBuilder data = new StringBuilder(320);
    data.append("{\"market\":\"").append(market).append("\",\"runner\":").append(id);
    data.append(",\"name\":\"").append(name).append("\",\"odds\":");
    PriceLadder.write(data, price).append(",\"change\":");
    PriceLadder.write(data, changeBefore).append(",\"volume\":");
    PriceLadder.write(data, volume).append(",\"batb\":[");
    int back = price;
    int lay = PriceLadder.longer(price);
    for (int level = 0; level < LADDER; level++) {
      offer(data, level, back, random);
      back = PriceLadder.shorter(back);
    }
    data.append("],\"batl\":[");
    for (int level = 0; level < LADDER; level++) {
      offer(data, level, lay, random);
      lay = PriceLadder.longer(lay);
    }
    return data.append("]}").toString();
  }

  private static void offer(StringBuilder data, int level, int at, SplittableRandom random) {
    data.append(level == 0 ? "[" : ",[").append(level).append(',');
    PriceLadder.write(data, at).append(',');
    PriceLadder.write(data, 200 + random.nextInt(90_000)).append(']');
  }
}
