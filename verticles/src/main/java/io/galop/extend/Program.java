package io.galop.extend;

import io.vertx.core.Future;

/** A loaded verticle. All but {@link #cancel} is called on the thread of its instance. */
public interface Program {
  /** Begins; the deployment is done when the Future is. What goes wrong stops the start. */
  Future<?> start() throws Exception;

  /** Ends in order. */
  Future<?> stop() throws Exception;

  /** Gives back what it holds, after {@link #stop}. */
  void close();

  /**
   * Ends whatever it does at the moment; from another thread, when {@link #stop} takes too long.
   */
  void cancel();

  /** What went wrong, in one sentence, with file and line where they are known. */
  String describe(Throwable failure);
}
