package io.galop.fuzz;

/** Something that takes bytes of strangers. */
public interface Target extends AutoCloseable {
  /**
   * Puts an input in.
   *
   * @throws Exception or an Error, if something came of it that must not
   */
  void run(byte[] input) throws Exception;

  @Override
  default void close() throws Exception {
    // Most have nothing to close.
  }
}
