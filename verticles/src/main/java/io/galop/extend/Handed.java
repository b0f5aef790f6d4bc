package io.galop.extend;

/** Hands a verticle what it is given while its variables get their values, on one thread. */
public final class Handed {
  private static final ThreadLocal<GalopApi> NOW = new ThreadLocal<>();

  private Handed() {}

  /** Called by the line that stands before every verticle. */
  public static GalopApi galop() {
    return NOW.get();
  }

  /** Called on the thread of the instance, before. */
  public static void begin(GalopApi galop) {
    NOW.set(galop);
  }

  /** Called when the variables have their values. */
  public static void end() {
    NOW.remove();
  }
}
