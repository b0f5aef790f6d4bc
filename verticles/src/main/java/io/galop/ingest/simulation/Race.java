package io.galop.ingest.simulation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One race from the opening of the betting to its result. */
final class Race {
  private static final double CALM_STEP = 0.02;
  private static final double BUSY_STEP = 0.10;
  private static final double RUN_STEP = 0.35;
  private static final double LEADING = 0.12;

  private final Timetable timetable;
  private final int place;
  private final long number;
  private final SplittableRandom random;
  private final String market;
  private final String name;
  private final List<Runner> runners = new ArrayList<>();
  private Runner winner;

  /** Null before the first that has begun. */
  private @Nullable Phase phase;

  Race(Timetable timetable, int place, long number, int runnerCount, long seed) {
    this.timetable = timetable;
    this.place = place;
    this.number = number;
    long marketNumber = number * timetable.races() + place;
    this.random = new SplittableRandom(seed * 0x9e3779b97f4a7c15L + marketNumber);
    this.market = "9." + marketNumber;
    this.name = Names.race(random);
    List<String> names = Names.horses(runnerCount, random);
    int firstId = 10_000_000 + random.nextInt(80_000_000);
    for (int i = 0; i < runnerCount; i++) {
      runners.add(new Runner(market, firstId + i, names.get(i), gaussian()));
    }
    this.winner = runners.get(0);
  }

  /** Roughly normal: the sum of four uniform numbers, centred. */
  private double gaussian() {
    double sum = -2;
    for (int i = 0; i < 4; i++) {
      sum += random.nextDouble();
    }
    return sum * 1.7;
  }

  long number() {
    return number;
  }

  /** Goes through the phases that have begun. */
  void advance(long nowUs, Output output) {
    for (Phase next : Phase.values()) {
      boolean later = phase == null || next.compareTo(phase) > 0;
      long beginsUs = timetable.beginsUs(place, number, next);
      if (later && beginsUs <= nowUs) {
        boolean current =
            next == Phase.CLOSED
                || timetable.beginsUs(place, number, Phase.values()[next.ordinal() + 1]) > nowUs;
        if (current) {
          begin(next, phase == null ? nowUs : beginsUs, output);
        }
      }
    }
  }

  private void begin(Phase next, long timeUs, Output output) {
    boolean first = phase == null;
    phase = next;
    if (first || next == Phase.IN_PLAY) {
      winner = pickWinner();
    }
    output.add("race/" + market + "/status", timeUs, status());
    if (first || next == Phase.CLOSED) {
      for (Runner runner : runners) {
        if (next == Phase.CLOSED) {
          runner.move(runner == winner ? 20 : -20);
        }
        trade(runner, timeUs, output);
      }
    }
  }

  /** By the chances that the money gives them, as it is on the whole in life. */
  private Runner pickWinner() {
    double left = random.nextDouble() * allWeights();
    for (Runner runner : runners) {
      left -= runner.weight();
      if (left <= 0) {
        return runner;
      }
    }
    return runners.get(runners.size() - 1);
  }

  private double allWeights() {
    double sum = 0;
    for (Runner runner : runners) {
      sum += runner.weight();
    }
    return sum;
  }

  /** How much is going on: more and more until the start, most while they run. */
  double activity(long nowUs) {
    return switch (phase) {
      case OPEN -> 0.25 + 3 * Math.pow(toTheStart(nowUs), 2);
      case IN_PLAY -> 5;
      case SUSPENDED, CLOSED -> 0;
    };
  }

  private double toTheStart(long nowUs) {
    double passed = nowUs - timetable.opensUs(place, number);
    return Math.min(1, Math.max(0, passed / timetable.openUs()));
  }

  /** One runner is traded. */
  void change(long nowUs, Output output) {
    Runner runner = runners.get(random.nextInt(runners.size()));
    if (phase == Phase.IN_PLAY) {
      runner.move(gaussian() * RUN_STEP + (runner == winner ? LEADING : -LEADING / 2));
    } else {
      double step = CALM_STEP + BUSY_STEP * Math.pow(toTheStart(nowUs), 3);
      runner.move(gaussian() * step);
    }
    trade(runner, nowUs, output);
  }

  private void trade(Runner runner, long timeUs, Output output) {
    runner.trade(allWeights(), random);
    output.add(runner.topic(), timeUs, runner.data(random));
  }

  private String status() {
    Instant start = Instant.EPOCH.plus(timetable.offUs(place, number), ChronoUnit.MICROS);
    StringBuilder data = new StringBuilder(1024);
    data.append("{\"market\":\"").append(market);
    data.append("\",\"name\":\"").append(name);
    data.append("\",\"status\":\"").append(phase);
    data.append("\",\"inPlay\":").append(phase == Phase.IN_PLAY);
    data.append(",\"start\":\"").append(start.truncatedTo(ChronoUnit.MILLIS));
    data.append("\",\"runners\":[");
    for (int i = 0; i < runners.size(); i++) {
      Runner runner = runners.get(i);
      data.append(i == 0 ? "" : ",").append("{\"id\":").append(runner.id());
      data.append(",\"number\":").append(i + 1).append(",\"name\":\"").append(runner.name());
      data.append("\",\"status\":\"").append(status(runner)).append("\"}");
    }
    return data.append("]}").toString();
  }

  private String status(Runner runner) {
    if (phase != Phase.CLOSED) {
      return "ACTIVE";
    }
    return runner == winner ? "WINNER" : "LOSER";
  }
}
