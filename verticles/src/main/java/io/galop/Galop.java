package io.galop;

/** The entry point. */
public final class Galop {
  private Galop() {}

  public static void main(String[] args) {
    System.exit(0);
  }
}
