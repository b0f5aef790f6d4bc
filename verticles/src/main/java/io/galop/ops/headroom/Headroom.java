package io.galop.ops.headroom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How much of a node is used, and what gives way first. A stage is used as its worst measure says,
 * a node as its worst stage.
 *
 * @param stages those that the node has, as they are declared
 */
public record Headroom(List<OfStage> stages) {
  /** Before there are two readings. */
  public static final Headroom UNKNOWN = new Headroom(List.of());

  /**
   * So many samples of a second: what lasts is named after half of them, and a single spike, or
   * four, change nothing.
   */
  public static final int SAMPLES = 9;

  private static final double NS_PER_SECOND = 1e9;

  /** A queue that grows is told as it will be then. */
  private static final double AHEAD_SECONDS = 10;

  /** Fewer samples tell no trend. */
  private static final int LEAST_FOR_TREND = 6;

  private static final int PERCENT = 100;

  /**
   * One stage.
   *
   * @param utilisation from 0 to 1
   * @param measure which says so: {@code busy}, {@code queue} or {@code late}
   * @param reason the same for people
   */
  public record OfStage(LoadedStage stage, double utilisation, String measure, String reason) {
    /** The utilisation in whole percent. */
    public int percent() {
      return (int) Math.round(utilisation * PERCENT);
    }
  }

  /** From the last samples, the oldest first. */
  public static Headroom of(List<LoadSample> samples) {
    List<OfStage> stages = new ArrayList<>();
    for (LoadedStage stage : LoadedStage.values()) {
      if (!samples.isEmpty() && samples.get(samples.size() - 1).loads().containsKey(stage)) {
        stages.add(of(stage, samples));
      }
    }
    return new Headroom(List.copyOf(stages));
  }

  /** What gives way first; of stages that are used alike the first one. Empty if unknown. */
  public Optional<OfStage> next() {
    return stages.stream().max(Comparator.comparingDouble(OfStage::utilisation)).map(this::first);
  }

  private OfStage first(OfStage most) {
    return stages.stream().filter(one -> one.percent() == most.percent()).findFirst().orElse(most);
  }

  /** Of one stage, from 0 to 1; no number for one that the node does not have. */
  public double utilisation(LoadedStage stage) {
    return stages.stream()
        .filter(one -> one.stage() == stage)
        .mapToDouble(OfStage::utilisation)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static OfStage of(LoadedStage stage, List<LoadSample> samples) {
    double busy = median(values(stage, samples, StageLoad::busy));
    double late = median(values(stage, samples, StageLoad::late));
    double[] queues = values(stage, samples, StageLoad::queue);
    double fill = median(queues);
    double queue = Math.min(1, fill + ahead(queues, samples));
    if (busy >= queue && busy >= late) {
      return new OfStage(stage, busy, "busy", percent(busy) + " % of its time at work");
    }
    if (queue >= late) {
      String grows = queue - fill >= 0.01 ? ", and it fills" : "";
      return new OfStage(stage, queue, "queue", percent(fill) + " % of its room taken" + grows);
    }
    String ms = late >= 1 ? "%d ms late or more" : "%d ms late";
    String reason = String.format(Locale.ROOT, ms, Math.round(late * stage.borneMs()));
    return new OfStage(stage, late, "late", reason);
  }

  private static long percent(double part) {
    return Math.round(part * PERCENT);
  }

  private static double[] values(
      LoadedStage stage, List<LoadSample> samples, ToDoubleFunction<StageLoad> measure) {
    return samples.stream()
        .map(sample -> sample.loads().getOrDefault(stage, StageLoad.NONE))
        .mapToDouble(measure)
        .toArray();
  }

  /** By how much a queue will have grown, if it goes on as from the first to the last third. */
  private static double ahead(double[] queues, List<LoadSample> samples) {
    int count = queues.length;
    if (count < LEAST_FOR_TREND) {
      return 0;
    }
    int third = count / 3;
    double first = median(Arrays.copyOfRange(queues, 0, third));
    double last = median(Arrays.copyOfRange(queues, count - third, count));
    long ns = samples.get(count - 1).atNs() - samples.get(third - 1).atNs();
    double seconds = Math.max(1, ns / NS_PER_SECOND);
    return Math.max(0, last - first) / seconds * AHEAD_SECONDS;
  }

  /** The lower one of an even number. */
  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }
}
