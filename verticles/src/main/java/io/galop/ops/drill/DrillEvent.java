package io.galop.ops.drill;

import java.util.List;
import java.util.Map;

/** What happens to a round. */
sealed interface DrillEvent {
  /** What happens to a viewer. */
  sealed interface OfViewer extends DrillEvent {
    DrillStage transport();
  }

  /** It begins. */
  record Begun() implements DrillEvent {}

  /** The time of a phase is over. */
  record Late(DrillPhase phase) implements DrillEvent {}

  /** The door has acknowledged a record. */
  record Acked(int part) implements DrillEvent {}

  /** The door has refused a record, or did not answer. */
  record Refused(int part, String why) implements DrillEvent {}

  /** A viewer is there, and was given all since it was here before, or was not. */
  record Joined(DrillStage transport, boolean isComplete) implements OfViewer {}

  /** A viewer was shown a record. */
  record Shown(DrillStage transport, int part) implements OfViewer {}

  /**
   * A viewer was shown the dead letter of a record.
   *
   * @param reason the word in it
   */
  record Lettered(DrillStage transport, int part, String reason) implements OfViewer {}

  /** A viewer was told that the topic is silent, or is back. */
  record Told(DrillStage transport, boolean isSilent) implements OfViewer {}

  /** A viewer was told that its feed is cut. */
  record Cut(DrillStage transport) implements OfViewer {}

  /** A viewer could not come, or was sent away. */
  record Broken(DrillStage transport, String why) implements OfViewer {}

  /**
   * The nodes were asked for a record.
   *
   * @param isLogged whether it is on the disk of its owner
   * @param lacking the stores that do not hold it, each with the reason
   * @param letter why a step has made a dead letter of it; empty: none has
   * @param unknown storing nodes that did not say what they have
   * @param timesPlaced how often its owner gave it a Position
   */
  record Looked(
      boolean isLogged, List<String> lacking, String letter, List<Unknown> unknown, int timesPlaced)
      implements DrillEvent {
    /** It was placed once. */
    Looked(boolean isLogged, List<String> lacking, String letter, List<Unknown> unknown) {
      this(isLogged, lacking, letter, unknown, 1);
    }

    /** And all nodes have answered. */
    Looked(boolean isLogged, List<String> lacking, String letter) {
      this(isLogged, lacking, letter, List.of());
    }

    /** And no dead letter of it was found. */
    Looked(boolean isLogged, List<String> lacking) {
      this(isLogged, lacking, "");
    }

    /** With for how long nodes have not answered, by their names. */
    Looked since(Map<String, Long> silentMs) {
      List<Unknown> all =
          unknown.stream()
              .map(one -> new Unknown(one.node(), one.why(), silentMs.getOrDefault(one.node(), 0L)))
              .toList();
      return new Looked(isLogged, lacking, letter, all, timesPlaced);
    }
  }

  /**
   * A node that did not say what it has.
   *
   * @param why it answered that it cannot; empty: it did not answer at all
   * @param silentMs for how long it has not answered
   */
  record Unknown(String node, String why, long silentMs) {}
}
