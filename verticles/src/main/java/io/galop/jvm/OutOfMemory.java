package io.galop.jvm;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process when memory is gone for good: when the heap stays full although it is collected,
 * or when a thread has died for want of memory, since what it did nobody does any more. What is
 * needed then is made at the start. An OutOfMemoryError that somebody has caught, as one of a
 * script, ends nothing by itself.
 */
public final class OutOfMemory {
  /** The exit code of a process that has run out of memory. */
  public static final int EXIT_CODE = 3;

  private static final double FULL = 0.92;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final FileOutputStream ERR = new FileOutputStream(FileDescriptor.err);
  private static final byte[] FULL_LINE =
      line(
          "the heap, %d MB, has been full for 10 s although it is collected"
              .formatted(Runtime.getRuntime().maxMemory() >> 20));
  private static final byte[] DIED_LINE = line("a thread that the node needs has died of it");
  private static final long SPEAK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static volatile @Nullable Thread last;
  private static volatile boolean isInstalled;
  private static volatile boolean isEnding;

  private OutOfMemory() {}

  private static byte[] line(String what) {
    return ("galop: OUT OF MEMORY: "
            + what
            + "; the process ends with exit code "
            + EXIT_CODE
            + ". What was acknowledged is in the Log. Give it more memory (-Xmx), or find in"
            + " docs/operations.md what takes it\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** From now on this process ends where it would else stay without memory. */
  public static void endsTheProcess() {
    isInstalled = true;
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          endIfIs(thrown);
          if (before != null) {
            before.uncaughtException(thread, thrown);
          } else {
            System.err.print("Exception in thread " + thread.getName() + " ");
            thrown.printStackTrace();
          }
        });
    Thread watch = new Thread(OutOfMemory::watch, "galop-heap");
    watch.setDaemon(true);
    watch.start();
    Thread end = new Thread(OutOfMemory::endUnheard, "galop-end");
    end.setDaemon(true);
    end.start();
    last = end;
  }

  /** A part of the node cannot go on; ends the process if it was for want of memory. */
  public static void endIfIs(Throwable thrown) {
    if (isInstalled && thrown instanceof OutOfMemoryError) {
      end(DIED_LINE);
    }
  }

  /** Makes no objects, so that it can look when there is no room for one. */
  private static void watch() {
    Runtime runtime = Runtime.getRuntime();
    long fullSince = 0;
    while (true) {
      LockSupport.parkNanos(LOOK_NANOS);
      long now = System.nanoTime();
      if (!isFull(runtime)) {
        fullSince = 0;
      } else if (fullSince == 0) {
        fullSince = now | 1;
      } else if (now - fullSince > FULL_NANOS) {
        System.gc();
        if (isFull(runtime)) {
          end(FULL_LINE);
        }
        fullSince = 0;
      }
    }
  }

  private static boolean isFull(Runtime runtime) {
    return runtime.totalMemory() - runtime.freeMemory() > FULL * runtime.maxMemory();
  }

  /** Where nobody reads standard error, writing to it takes for ever. */
  private static void endUnheard() {
    while (!isEnding) {
      LockSupport.park();
    }
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < SPEAK_NANOS) {
      LockSupport.parkNanos(SPEAK_NANOS);
    }
    Runtime.getRuntime().halt(EXIT_CODE);
  }

  private static void end(byte[] line) {
    isEnding = true;
    LockSupport.unpark(last);
    try {
      ERR.write(line);
    } catch (IOException | OutOfMemoryError e) {
      // Nobody can be told, and it has to end all the same.
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
