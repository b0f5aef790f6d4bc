package io.galop.extend;

import io.vertx.core.Future;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A verticle in a language that is compiled into a class of the JVM when it is loaded. */
public final class ClassProgram implements Program {
  private final String file;
  private final Class<?> compiled;
  private final Callable<? extends @Nullable Object> load;
  private final Closeable loader;
  private volatile Thread thread = Thread.currentThread();

  /** What the functions are called on; null where they are static, and before the start. */
  private @Nullable Object self;

  /**
   * A verticle that is to be started.
   *
   * @param file the source, as its author calls it
   * @param compiled its functions are methods of this
   * @param load runs what stands outside of functions and answers with what these are called on,
   *     null where they are static
   * @param loader closed with the verticle
   */
  public ClassProgram(
      String file, Class<?> compiled, Callable<? extends @Nullable Object> load, Closeable loader) {
    this.file = file;
    this.compiled = compiled;
    this.load = load;
    this.loader = loader;
  }

  @Override
  public Future<?> start() throws Exception {
    thread = Thread.currentThread();
    self = load.call();
    return call("start");
  }

  @Override
  public Future<?> stop() throws Exception {
    return call("stop");
  }

  private Future<?> call(String name) throws Exception {
    Optional<Method> function =
        Arrays.stream(compiled.getMethods())
            .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
            .findFirst();
    if (function.isEmpty()) {
      return Future.succeededFuture();
    }
    try {
      return function.get().invoke(self) instanceof Future<?> pending
          ? pending
          : Future.succeededFuture();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException e) {
      throw new ProgramException("the classes of " + file + " could not be let go: " + e);
    }
  }

  /** Ends what waits; loops and functions look too where the compiler was told so. */
  @Override
  public void cancel() {
    thread.interrupt();
  }

  @Override
  public String describe(Throwable failure) {
    Throwable thrown = failure instanceof InvocationTargetException ? failure.getCause() : failure;
    return Failures.inWords(thrown == null ? failure : thrown, compiled, file);
  }
}
