package io.galop.ops.drill;

import java.util.List;
import java.util.Set;

/**
 * What a round does.
 *
 * @param transports those of {@link DrillStage#WEBSOCKET}, {@link DrillStage#XHR}, {@link
 *     DrillStage#EVENTS} and {@link DrillStage#MQTT} that are served here; none on a node without
 *     viewers
 * @param withinMs until then a record has to be acknowledged and shown
 * @param storedWithinMs until then it has to be in the Log and in each store
 * @param silentMs after such a silence viewers have to be told; 0: nobody has to be
 */
record DrillPlan(
    long number,
    DrillFault fault,
    Set<DrillStage> transports,
    long withinMs,
    long storedWithinMs,
    long silentMs) {
  DrillPlan {
    transports = Set.copyOf(transports);
  }

  /** The numbers of the records that are sent at first, in order; one may be there again. */
  List<Integer> first() {
    return sends().stream().map(DrillEffect.Send::part).toList();
  }

  /**
   * What is sent at first, in order. A record that is sent twice is known again by enrichment, so
   * the owner of the shard is sent it once more.
   */
  List<DrillEffect.Send> sends() {
    return switch (fault) {
      case NONE, LATE, SILENT, REFUSED -> List.of(new DrillEffect.Send(0));
      case DOUBLED ->
          List.of(
              new DrillEffect.Send(0),
              new DrillEffect.Send(0),
              new DrillEffect.Send(0, true),
              new DrillEffect.Send(1));
      case LOST -> List.of(new DrillEffect.Send(0), new DrillEffect.Send(2));
    };
  }

  /** The record that is looked for in the Log and in stores: the one that was sent again. */
  int lookedFor() {
    return fault == DrillFault.DOUBLED ? 0 : last();
  }

  /** The numbers of the records that viewers have to see of those, if nothing were lost. */
  List<Integer> announced() {
    return switch (fault) {
      case NONE, LATE, SILENT -> List.of(0);
      case REFUSED -> List.of();
      case DOUBLED -> List.of(0, 1);
      case LOST -> List.of(0, 1, 2);
    };
  }

  /** The last record that is sent. */
  int last() {
    return switch (fault) {
      case NONE, REFUSED -> 0;
      case DOUBLED, LATE, SILENT -> 1;
      case LOST -> 2;
    };
  }
}
