package io.galop.loadtest.inject;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The public class for publishers of galop.jar, out of the jar that is measured: no code of Galop
 * is in this one.
 */
final class RingClient implements AutoCloseable {
  private static final String CLASS = "io.galop.ring.RingPublisher";
  private static final int MOST_REJECTIONS = 1_000;
  private static final byte[] NO_ID = {};
  private static final long NO_TIME = -1;

  private final URLClassLoader jar;
  private final AutoCloseable publisher;
  private final MethodHandle offer;
  private final MethodHandle settled;
  private final MethodHandle poll;
  private final Class<?> onRejected;

  /** Attaches to a ring that a node has made. */
  RingClient(Path galopJar, Path ring) throws IOException {
    jar =
        new URLClassLoader(
            new URL[] {galopJar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    try {
      Class<?> type = jar.loadClass(CLASS);
      publisher = (AutoCloseable) type.getMethod("open", Path.class).invoke(null, ring);
      offer =
          method(type, "offer")
              .asType(
                  MethodType.methodType(
                      boolean.class, byte[].class, byte[].class, long.class, byte[].class));
      settled = method(type, "settled").asType(MethodType.methodType(long.class));
      Method polls = named(type, "poll");
      onRejected = polls.getParameterTypes()[0];
      poll = method(type, "poll").asType(MethodType.methodType(int.class, Object.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new IOException(galopJar + " has no ring that can be used: " + words(e), e);
    }
  }

  private static String words(ReflectiveOperationException e) {
    return String.valueOf(e.getCause() == null ? e : e.getCause());
  }

  private static Method named(Class<?> type, String name) throws NoSuchMethodException {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchMethodException(CLASS + "." + name));
  }

  private MethodHandle method(Class<?> type, String name) throws ReflectiveOperationException {
    return MethodHandles.publicLookup().unreflect(named(type, name)).bindTo(publisher);
  }

  boolean offer(byte[] topic, byte[] data) {
    try {
      return (boolean) offer.invokeExact(topic, NO_ID, NO_TIME, data);
    } catch (Throwable e) {
      throw new IllegalStateException("the ring refuses: " + e.getMessage(), e);
    }
  }

  long settled() {
    try {
      return (long) settled.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("the ring cannot be read: " + e.getMessage(), e);
    }
  }

  /** Says how many were rejected since this was asked last. */
  void countRejections(LongConsumer onRefused) {
    Object counter =
        Proxy.newProxyInstance(
            jar,
            new Class<?>[] {onRejected},
            (proxy, method, arguments) -> {
              onRefused.accept(1);
              return null;
            });
    try {
      while ((int) poll.invokeExact(counter, MOST_REJECTIONS) == MOST_REJECTIONS) {
        Thread.onSpinWait();
      }
    } catch (Throwable e) {
      throw new IllegalStateException("the ring cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      publisher.close();
    } catch (Exception e) {
      throw new IOException("the ring cannot be closed", e);
    } finally {
      jar.close();
    }
  }
}
