package io.galop.extend;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.VerticleFactory;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a verticle of the user's own, whatever its language. */
final class HostedVerticle implements Deployable {
  private final HostedFactory factory;
  private final VerticleHost host;
  private final String name;
  private InstanceSpec spec;
  private Guard guard;
  private NodeGalop galop;
  private volatile Program program;

  HostedVerticle(HostedFactory factory, VerticleHost host, String name) {
    this.factory = factory;
    this.host = host;
    this.name = name;
  }

  @Override
  public Future<?> deploy(Context context) {
    spec = InstanceSpec.take(context.config(), name);
    VerticleMeters meters = host.meters(spec.label());
    Logger log = LoggerFactory.getLogger("io.galop.verticle." + logName(spec.label()));
    guard = new Guard(context, log, meters);
    galop = new NodeGalop(host, spec, guard, log);
    context.exceptionHandler(guard::failed);
    String target = VerticleFactory.removePrefix(name);
    String directory = host.node().config().enrich().directory();
    host.began(spec, this::cancel);
    try {
      program = factory.open(new HostedFactory.Opening(target, directory, galop, context));
    } catch (ProgramException e) {
      host.ended(spec);
      return Future.failedFuture(e);
    }
    guard.describedBy(program);
    return wait(program::start)
        .<Void>mapEmpty()
        .onSuccess(began -> meters.instances().incrementAndGet())
        .recover(this::refuse);
  }

  /** What went wrong may be asked of it only until it is closed. */
  private Future<Void> refuse(Throwable failure) {
    ProgramException said = inWords(failure);
    return close().transform(closed -> Future.failedFuture(said));
  }

  /** The last part of a logger's name is shown, so there are no dots in it. */
  private static String logName(String label) {
    String[] parts = label.split("[.]");
    boolean isClass = label.startsWith("java:");
    return isClass ? "java:" + parts[parts.length - 1].replace("java:", "") : parts[0];
  }

  private ProgramException inWords(Throwable failure) {
    return new ProgramException(
        failure instanceof ProgramException known ? known.getMessage() : program.describe(failure));
  }

  private static Future<?> wait(Callable<Future<?>> call) {
    try {
      return call.call();
    } catch (Throwable e) { // a verticle may throw anything, an OutOfMemoryError too
      return Future.failedFuture(e);
    }
  }

  /** First nothing comes any more, then what it says at last is acknowledged. */
  @Override
  public Future<?> undeploy(Context context) {
    galop.endAll();
    return wait(program::stop)
        .onFailure(guard::failed)
        .otherwiseEmpty()
        .compose(stopped -> galop.settled())
        .eventually(() -> turn(context))
        .eventually(
            () -> {
              host.meters(spec.label()).instances().decrementAndGet();
              return close();
            });
  }

  /** What was put behind the present call has run; the thread ends with what waits for it. */
  private static Future<Void> turn(Context context) {
    Promise<Void> turned = Promise.promise();
    context.runOnContext(behind -> turned.complete());
    return turned.future();
  }

  private Future<Void> close() {
    host.ended(spec);
    galop.endAll();
    try {
      program.close();
    } catch (RuntimeException e) {
      guard.failed(e);
    }
    return Future.succeededFuture();
  }

  /** From another thread. */
  private void cancel() {
    Program running = program;
    if (running != null) {
      running.cancel();
    }
  }
}
