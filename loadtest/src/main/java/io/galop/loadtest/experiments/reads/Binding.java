package io.galop.loadtest.experiments.reads;

/** Whether the kernel chooses the processors of threads. */
enum Binding {
  FREE("free"),
  /** Each thread that answers stays on one core, in turn. */
  BOUND("bound");

  private final String word;

  Binding(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
