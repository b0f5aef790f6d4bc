package io.galop.ingest.simulation;

import io.galop.config.ingest.SimulationConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A made-up race day without end: {@code race/<market>/status}, {@code race/<market>/runner/<id>}
 * and {@code sensor/<name>}. The same seed and the same times asked for give the same records.
 */
public final class RaceDay {
  private static final long SECOND_US = 1_000_000;

  private final SimulationConfig config;
  private final Timetable timetable;
  private final SplittableRandom random;

  /** By their place; each is there from the first {@link #advance} on. */
  private final Race[] races;

  private final List<Sensor> sensors = new ArrayList<>();
  private long lastUs;
  private long measuredUs;
  private double due;

  /** A race day that goes on from a time. */
  public RaceDay(SimulationConfig config, long nowUs) {
    this.config = config;
    this.timetable = Timetable.of(config);
    this.random = new SplittableRandom(config.seed());
    this.races = new Race[config.races()];
    this.lastUs = nowUs;
    for (int i = 0; i < config.sensors(); i++) {
      sensors.add(new Sensor(i, config.seed()));
    }
  }

  /**
   * Makes up what has happened since the last time; of more than a second, only the last, so that
   * nothing piles up behind a node that was busy.
   */
  public void advance(long nowUs, Output output) {
    double passed = Math.min(SECOND_US, nowUs - lastUs);
    due += passed * config.recordsPerSecond() / SECOND_US;
    for (int place = 0; place < races.length; place++) {
      advance(place, nowUs, output);
    }
    int count = (int) due;
    due -= count;
    for (int i = 0; i < count; i++) {
      change(nowUs - (long) (passed * (count - 1 - i) / count), output);
    }
    if (nowUs - measuredUs >= SECOND_US) {
      measuredUs = nowUs;
      sensors.forEach(sensor -> sensor.measure(nowUs, output));
    }
    lastUs = nowUs;
  }

  private void advance(int place, long nowUs, Output output) {
    long number = timetable.number(place, nowUs);
    if (races[place] == null || races[place].number() != number) {
      races[place] = new Race(timetable, place, number, config.runnersPerRace(), config.seed());
    }
    races[place].advance(nowUs, output);
  }

  private void change(long nowUs, Output output) {
    double all = 0;
    for (Race race : races) {
      all += race.activity(nowUs);
    }
    double left = random.nextDouble() * all;
    for (Race race : races) {
      double activity = race.activity(nowUs);
      left -= activity;
      if (left < 0 && activity > 0) {
        race.change(nowUs, output);
        return;
      }
    }
  }
}
