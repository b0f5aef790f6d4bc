package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A script that was compiled into a class of the JVM. It is part of the program and can do what
 * that can; at the end of its time its thread is interrupted, which it may notice or not.
 */
public final class JvmScript implements LoadedScript {
  private static final Logger LOG = LoggerFactory.getLogger(JvmScript.class);

  private final Class<?> compiled;
  private final ScriptConfig config;
  private final ScriptWatchdog watchdog;
  private final Closeable loader;
  private Optional<MethodHandle> init = Optional.empty();

  @SuppressWarnings("NullAway.Init") // start sets it, or throws
  private MethodHandle enrich;

  /**
   * A script that is to be started.
   *
   * @param compiled its functions are methods of this
   * @param loader closed with the script
   */
  public JvmScript(
      Class<?> compiled, ScriptConfig config, ScriptWatchdog watchdog, Closeable loader) {
    this.compiled = compiled;
    this.config = config;
    this.watchdog = watchdog;
    this.loader = loader;
  }

  /**
   * Runs what stands outside of functions; closes the script if that fails.
   *
   * @param start makes what the functions are called on, null where they are static
   * @throws ScriptFailure naming line and what to do
   */
  public JvmScript start(Callable<? extends @Nullable Object> start) throws ScriptFailure {
    try {
      @Nullable Object self = limited(watchdog::beginLoad, start::call);
      enrich =
          function(self, "enrich", 2)
              .orElseThrow(
                  () ->
                      new ScriptFailure(
                          config.file()
                              + " has no function enrich; it must define function enrich(record)"));
      init = function(self, "init", 1);
    } catch (Throwable e) {
      close();
      throw e;
    }
    return this;
  }

  /** A handle that takes the most parameters, whether the function takes all of them or not. */
  private Optional<MethodHandle> function(@Nullable Object self, String name, int parameters)
      throws ScriptFailure {
    for (Method method : compiled.getMethods()) {
      int count = method.getParameterCount();
      if (method.getName().equals(name) && count <= parameters && !method.isBridge()) {
        return Optional.of(handle(self, method, parameters - count));
      }
    }
    return Optional.empty();
  }

  private MethodHandle handle(@Nullable Object self, Method method, int unused)
      throws ScriptFailure {
    try {
      MethodHandle handle = MethodHandles.publicLookup().unreflect(method);
      if (!Modifier.isStatic(method.getModifiers())) {
        handle = handle.bindTo(self);
      }
      Class<?>[] more = unused > 0 ? new Class<?>[] {Object.class} : new Class<?>[0];
      handle = MethodHandles.dropArguments(handle, method.getParameterCount(), more);
      return handle.asType(handle.type().generic());
    } catch (IllegalAccessException e) {
      throw new ScriptFailure("the function " + method.getName() + " must be public");
    }
  }

  @Override
  public void init(Map<String, @Nullable Object> settings) throws ScriptFailure {
    if (init.isPresent()) {
      limited(watchdog::beginLoad, () -> init.get().invoke((Object) settings));
    }
  }

  @Override
  public @Nullable Object enrich(ScriptRecord record, StateMap state) throws ScriptFailure {
    try {
      return limited(
          watchdog::begin, () -> (Object) enrich.invokeExact((Object) record, (Object) state));
    } finally {
      state.settleCall(PlainFunction.SAME);
    }
  }

  private interface Call {
    @Nullable Object run() throws Throwable;
  }

  private @Nullable Object limited(Consumer<ScriptWatchdog.Stoppable> begin, Call call)
      throws ScriptFailure {
    begin.accept(Thread.currentThread()::interrupt);
    try {
      @Nullable Object returned = call.run();
      if (watchdog.end()) {
        throw JvmErrors.tooLong(config);
      }
      return returned;
    } catch (ScriptFailure e) {
      throw e;
    } catch (Throwable e) { // a script may throw anything, a StackOverflowError too
      throw watchdog.end() ? JvmErrors.tooLong(config) : JvmErrors.failure(e, compiled, config);
    } finally {
      Thread.interrupted();
    }
  }

  @Override
  public boolean isUsable() {
    return true;
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException e) {
      LOG.debug("the classes of {} could not be let go", config.file(), e);
    }
  }
}
