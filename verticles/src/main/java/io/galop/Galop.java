package io.galop;

import io.galop.cli.Cli;

/** The entry point. */
public final class Galop {
  private Galop() {}

  public static void main(String[] args) {
    System.exit(Cli.execute(args, new RunCommand(), new DemoCommand()));
  }
}
