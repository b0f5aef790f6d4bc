package io.galop.python;

import org.graalvm.polyglot.Context;

/** How Python is set up, whatever a program in it may reach. */
public final class PythonOptions {
  private PythonOptions() {}

  /** A context whose Python writes no files of its own and does without libraries of the system. */
  public static Context of(Context.Builder builder) {
    return builder
        .allowExperimentalOptions(true)
        .option("python.PosixModuleBackend", "java")
        .option("python.ForceImportSite", "false")
        .option("python.DontWriteBytecodeFlag", "true")
        .build();
  }
}
