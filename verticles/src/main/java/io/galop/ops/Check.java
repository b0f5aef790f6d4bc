package io.galop.ops;

/** Something that {@link Watch} looks at once a second, on one thread that may block. */
interface Check {
  void look(MeterSums meters);
}
