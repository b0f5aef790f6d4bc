package io.galop.start;

/** Stands in for galop.jar: says what it is and that it is ready, and waits for its end. */
public final class ArchivedProgram {
  private ArchivedProgram() {}

  /** The command {@code exit}: ends at once, with 7. */
  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("exit")) {
      System.exit(7);
    }
    System.out.println("galop stand-in [" + args[0] + "] ready");
    System.out.flush();
    Thread.sleep(Long.MAX_VALUE);
  }
}
