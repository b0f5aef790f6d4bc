package io.galop.cli;

import picocli.CommandLine.IVersionProvider;

/** Name and version of the jar, and of the Java it runs on. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "galop %s (JDK %s, %s)"
          .formatted(
              version == null ? "(not packed)" : version,
              System.getProperty("java.version"),
              System.getProperty("java.vendor"))
    };
  }
}
