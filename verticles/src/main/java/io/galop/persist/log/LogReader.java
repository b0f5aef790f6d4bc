package io.galop.persist.log;

/** Reads the durable part of the Log in order. Blocking, and for one thread at a time. */
public final class LogReader implements AutoCloseable {

  /**
   * Reads on.
   *
   * @param maxBytes about how much of the Log to pass; at least one entry is read if there is one
   * @throws LogException if the disk fails
   */
  public LogChunk read(int maxBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
