package io.galop.persist.store;

import io.galop.config.persist.SinkConfig.Driver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs so many tasks at once and lets so many wait; more are refused. On virtual threads, which are
 * cheap to make, each task has one and waits in it.
 */
public final class BoundedThreads implements Executor {
  private final ExecutorService threads;
  private final Semaphore room;
  private final Semaphore running;

  private BoundedThreads(ExecutorService threads, Semaphore room, Semaphore running) {
    this.threads = threads;
    this.room = room;
    this.running = running;
  }

  /** Makes them; their threads have the name. */
  public static BoundedThreads of(String name, Driver driver, int running, int waiting) {
    boolean virtual = driver == Driver.SYNC_VIRTUAL;
    return new BoundedThreads(
        virtual ? virtualThreads() : platformThreads(name, running, waiting),
        new Semaphore(running + waiting),
        new Semaphore(running));
  }

  private static ExecutorService platformThreads(String name, int running, int waiting) {
    return new ThreadPoolExecutor(
        running,
        running,
        1,
        TimeUnit.MINUTES,
        new ArrayBlockingQueue<>(running + waiting),
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** The sources are for Java 17, which does not know the method; the configuration refuses it. */
  private static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java has no virtual threads; choose driver: sync", e);
    }
  }

  @Override
  public void execute(Runnable task) {
    if (!room.tryAcquire()) {
      throw new RejectedExecutionException("too much waits already");
    }
    try {
      threads.execute(() -> run(task));
    } catch (RejectedExecutionException e) {
      room.release();
      throw e;
    }
  }

  /**
   * Runs work and answers on its thread; fails with {@link RejectedExecutionException} if too much
   * waits already. An Error, as for want of memory, is a failure of this work only.
   */
  public <T> Future<T> call(Callable<T> work) {
    Promise<T> done = Promise.promise();
    try {
      execute(() -> call(work, done));
    } catch (RejectedExecutionException e) {
      done.fail(e);
    }
    return done.future();
  }

  private static <T> void call(Callable<T> work, Promise<T> done) {
    T result;
    try {
      result = work.call();
    } catch (Exception | Error e) {
      done.fail(e);
      return;
    }
    done.complete(result);
  }

  private void run(Runnable task) {
    running.acquireUninterruptibly();
    try {
      task.run();
    } finally {
      running.release();
      room.release();
    }
  }

  /** Waits for what runs; false if it does not end in time and is left. */
  public boolean close(long timeout, TimeUnit unit) {
    threads.shutdown();
    try {
      return threads.awaitTermination(timeout, unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
