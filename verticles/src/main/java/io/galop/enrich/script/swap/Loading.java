package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.TopicStates;
import io.galop.jvm.ErrorText;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads versions of scripts on threads that can be given up: what stands outside of functions may
 * hang too, and not every language can be interrupted. Blocks, for a bounded time.
 */
final class Loading {
  private static final Logger LOG = LoggerFactory.getLogger(Loading.class);

  /** How long loading may take, and running the cases. */
  static final long MOST_SECONDS = 120;

  private Loading() {}

  /**
   * What is wrong with a version, or with what it makes of its cases; empty if nothing is.
   *
   * @param hanging where a thread counts that hangs; none is started beside as many as may be
   */
  static String problem(ScriptVersion version, Hanging hanging) {
    try {
      return bounded(version::problem, late -> {}, hanging);
    } catch (IllegalArgumentException e) {
      return ErrorText.of(e);
    }
  }

  /**
   * A version, loaded.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static Script open(ScriptVersion version, TopicStates states, Hanging hanging) {
    return bounded(() -> version.open(states), Script::close, hanging);
  }

  /** What comes when nobody waits for it any more is let go of. */
  private static <T> T bounded(Supplier<T> loading, Consumer<T> late, Hanging hanging) {
    if (hanging.isFull()) {
      throw new IllegalArgumentException(
          "as many versions hang as breaker.maxHangingThreads allows, and nothing ends them;"
              + " restart the node");
    }
    Hanging.Member member = new Hanging.Member();
    CompletableFuture<T> loaded = new CompletableFuture<>();
    Thread thread = new Thread(() -> run(loading, loaded, late, member), "galop-script-loading");
    thread.setDaemon(true);
    thread.start();
    try {
      return loaded.orTimeout(MOST_SECONDS, TimeUnit.SECONDS).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      loaded.thenAccept(late);
      throw new IllegalArgumentException("the node is shutting down", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException) {
        member.giveUp(hanging);
      }
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw new IllegalArgumentException(why(Objects.requireNonNullElse(e.getCause(), e)), e);
    }
  }

  private static String why(Throwable broken) {
    if (broken instanceof TimeoutException) {
      return "it was not loaded, and its cases not run, within " + MOST_SECONDS + " s";
    }
    LOG.error("a script could not be loaded", broken);
    return "loading it broke off, the log says how";
  }

  /** Whatever ends it, somebody waits for the end. */
  private static <T> void run(
      Supplier<T> loading, CompletableFuture<T> loaded, Consumer<T> late, Hanging.Member member) {
    try {
      T made = loading.get();
      if (!loaded.complete(made)) {
        late.accept(made);
      }
    } catch (Throwable e) {
      loaded.completeExceptionally(e);
    } finally {
      member.end();
    }
  }

  /** Closes a script on a thread of its own, so that records do not wait for it. */
  static void closeAside(Script script) {
    Thread closing = new Thread(script::close, "galop-script-close");
    closing.setDaemon(true);
    closing.start();
  }
}
