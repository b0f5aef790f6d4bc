package io.galop.extend;

import io.galop.jvm.ErrorText;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.spi.VerticleFactory;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a verticle of the user's own, whatever its language. */
final class HostedVerticle implements Deployable {
  private final HostedFactory factory;
  private final VerticleHost host;
  private final String name;

  @SuppressWarnings("NullAway.Init") // deploy sets it, which Vert.x calls first
  private InstanceSpec spec;

  @SuppressWarnings("NullAway.Init") // likewise
  private Guard guard;

  @SuppressWarnings("NullAway.Init") // likewise
  private NodeGalop galop;

  /** Null until its source is loaded, which takes long enough to be cut off meanwhile. */
  private volatile @Nullable Program program;

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
    Program opened;
    try {
      opened = factory.open(new HostedFactory.Opening(target, directory, galop, context));
    } catch (Throwable e) { // of a class that is loaded here anything may come, an Error too
      host.ended(spec);
      return Future.failedFuture(e);
    }
    program = opened;
    guard.describedBy(opened);
    return wait(opened::start)
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
        failure instanceof ProgramException known
            ? ErrorText.of(known)
            : program().describe(failure));
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
    return wait(program()::stop)
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
      program().close();
    } catch (RuntimeException e) {
      guard.failed(e);
    }
    return Future.succeededFuture();
  }

  private Program program() {
    return Objects.requireNonNull(program, "only one that was loaded is started and ended");
  }

  /** From another thread. */
  private void cancel() {
    Program running = program;
    if (running != null) {
      running.cancel();
    }
  }
}
