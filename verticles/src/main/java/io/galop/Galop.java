package io.galop;

import io.galop.cli.Cli;
import io.galop.enrich.EnrichCheck;

/** The entry point. */
public final class Galop {
  private Galop() {}

  public static void main(String[] args) {
    System.exit(Cli.execute(args, EnrichCheck::problems, new RunCommand(), new DemoCommand()));
  }
}
