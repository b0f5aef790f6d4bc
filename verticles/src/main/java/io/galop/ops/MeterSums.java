package io.galop.ops;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Adds up what a node has counted, over the tags of a meter. */
final class MeterSums {
  private final List<Meter> meters;

  MeterSums(MeterRegistry registry) {
    this.meters = registry.getMeters();
  }

  /** The meters of a name that have all of these tags. */
  private Stream<Meter> named(String name, Iterable<Tag> tags) {
    return meters.stream()
        .filter(meter -> meter.getId().getName().equals(name) && hasAll(meter, tags));
  }

  private static boolean hasAll(Meter meter, Iterable<Tag> tags) {
    for (Tag tag : tags) {
      if (!meter.getId().getTags().contains(tag)) {
        return false;
      }
    }
    return true;
  }

  /** All meters whose name begins and ends so. */
  Stream<Meter> like(String begin, String end) {
    return meters.stream()
        .filter(meter -> meter.getId().getName().startsWith(begin))
        .filter(meter -> meter.getId().getName().endsWith(end));
  }

  /** The sum; empty if nothing is counted under the name. */
  Optional<Double> find(String name, Iterable<Tag> tags) {
    return named(name, tags).map(MeterSums::value).reduce(Double::sum);
  }

  /** The sum; 0 if nothing is counted under the name. */
  long sum(String name) {
    return Math.round(find(name, List.of()).orElse(0.0));
  }

  /** The largest; 0 if nothing is counted under the name. */
  long max(String name) {
    return Math.round(named(name, List.of()).map(MeterSums::value).reduce(0.0, Math::max));
  }

  /** The largest with its fraction; 0 if nothing is counted under the name. */
  double most(String name) {
    return named(name, List.of()).map(MeterSums::value).reduce(0.0, Math::max);
  }

  /** The time that timers of a name have measured, in seconds. */
  double seconds(String name) {
    return named(name, List.of())
        .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
        .filter(one -> one.getStatistic() == Statistic.TOTAL_TIME)
        .mapToDouble(Measurement::getValue)
        .sum();
  }

  /** A gauge's value, a counter's count, how often a timer was used. */
  private static double value(Meter meter) {
    for (Measurement one : meter.measure()) {
      if (one.getStatistic() != Statistic.TOTAL_TIME && one.getStatistic() != Statistic.MAX) {
        return Double.isNaN(one.getValue()) ? 0 : one.getValue();
      }
    }
    return 0;
  }
}
