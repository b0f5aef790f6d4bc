package io.galop.loadtest.experiments.state;

/** How state that several threads need is kept, by its word in a scenario. */
public enum Discipline {
  /** Not at all: the row of the matrix is a node of Galop. */
  NONE("none"),
  SINGLE_WRITER("single-writer"),
  LOCK("lock"),
  STM("stm");

  private final String word;

  Discipline(String word) {
    this.word = word;
  }

  /** Keeps state so. */
  State state() {
    return switch (this) {
      case SINGLE_WRITER -> new OwnedState(Runtime.getRuntime().availableProcessors());
      case LOCK -> new LockedState();
      case STM -> new TransactionalState();
      case NONE -> throw new IllegalArgumentException("none is no way to keep state");
    };
  }

  @Override
  public String toString() {
    return word;
  }
}
