package io.galop.loadtest.experiments.reads;

import io.galop.yaml.Words;

/** Whether the kernel chooses the processors of threads. */
enum Binding {
  FREE,
  /** Each thread that answers stays on one core, in turn. */
  BOUND;

  @Override
  public String toString() {
    return Words.of(this);
  }
}
