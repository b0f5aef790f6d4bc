package io.galop.extend;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;

/** A verticle that is a class. */
final class JavaProgram implements Program {
  private final Deployable verticle;
  private final Context context;
  private volatile Thread thread = Thread.currentThread();

  JavaProgram(Deployable verticle, Context context) {
    this.verticle = verticle;
    this.context = context;
  }

  @Override
  public Future<?> start() throws Exception {
    thread = Thread.currentThread();
    return verticle.deploy(context);
  }

  @Override
  public Future<?> stop() throws Exception {
    return verticle.undeploy(context);
  }

  @Override
  public void close() {
    // The class holds what it holds; stop was its chance.
  }

  /** A worker has a thread of its own; an event loop belongs to others too. */
  @Override
  public void cancel() {
    if (context.isWorkerContext()) {
      thread.interrupt();
    }
  }

  @Override
  public String describe(Throwable failure) {
    return Failures.inWords(failure, verticle.getClass(), "");
  }
}
