package io.galop.jvm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * SIGHUP, by which services are told to read their configuration again. By reflection, as the
 * compiler takes {@code sun.misc.Signal}, which has no successor, for a mistake.
 */
public final class HangupSignal {
  private HangupSignal() {}

  /**
   * Calls the listener at each signal, on a thread of its own, instead of ending the process.
   *
   * @return whether this machine has the signal
   */
  public static boolean listen(Runnable listener) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              HangupSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  listener.run();
                }
                return null;
              });
      Object hangup = signal.getConstructor(String.class).newInstance("HUP");
      signal.getMethod("handle", signal, handler).invoke(null, hangup, proxy);
      return true;
    } catch (InvocationTargetException | ClassNotFoundException e) {
      return false; // as on Windows
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sun.misc.Signal is another than expected", e);
    }
  }
}
