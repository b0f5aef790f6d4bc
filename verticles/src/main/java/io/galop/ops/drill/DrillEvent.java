package io.galop.ops.drill;

import java.util.List;

/** What happens to a round. */
sealed interface DrillEvent {
  /** Of whose viewer it tells; the door if of none. */
  static DrillStage transport(DrillEvent event) {
    if (event instanceof Shown shown) {
      return shown.transport();
    }
    if (event instanceof Lettered letter) {
      return letter.transport();
    }
    if (event instanceof Joined joined) {
      return joined.transport();
    }
    if (event instanceof Told told) {
      return told.transport();
    }
    return event instanceof Broken broken ? broken.transport() : DrillStage.DOOR;
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
  record Joined(DrillStage transport, boolean isComplete) implements DrillEvent {}

  /** A viewer was shown a record. */
  record Shown(DrillStage transport, int part) implements DrillEvent {}

  /**
   * A viewer was shown the dead letter of a record.
   *
   * @param reason the word in it
   */
  record Lettered(DrillStage transport, int part, String reason) implements DrillEvent {}

  /** A viewer was told that the topic is silent, or is back. */
  record Told(DrillStage transport, boolean isSilent) implements DrillEvent {}

  /** A viewer was told that its feed is cut. */
  record Cut(DrillStage transport) implements DrillEvent {}

  /** A viewer could not come, or was sent away. */
  record Broken(DrillStage transport, String why) implements DrillEvent {}

  /**
   * The nodes were asked for the last record.
   *
   * @param isLogged whether it is on the disk of its owner
   * @param lacking the stores that do not hold it, each with the reason
   * @param letter why a step has made a dead letter of it; empty: none has
   */
  record Looked(boolean isLogged, List<String> lacking, String letter) implements DrillEvent {
    /** No dead letter of it was found. */
    Looked(boolean isLogged, List<String> lacking) {
      this(isLogged, lacking, "");
    }
  }
}
