package io.galop.cli;

import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The token that doors ask for, as an option of a command and of those below it. */
public final class DoorToken {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      defaultValue = "${env:GALOP_INGEST_TOKEN:-}",
      scope = ScopeType.INHERIT,
      description = "The doors' token. Default: the variable GALOP_INGEST_TOKEN.")
  private String token;

  /** The token; empty where there is none. */
  public String text() {
    return token;
  }
}
