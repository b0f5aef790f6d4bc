package io.galop.loadtest.experiments.state;

import io.galop.yaml.Words;

/** How state that several threads need is kept, by its word in a scenario. */
public enum Discipline {
  /** Not at all: the row of the matrix is a node of Galop. */
  NONE,
  SINGLE_WRITER,
  LOCK,
  STM;

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
    return Words.of(this);
  }
}
