package io.galop.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The token that a viewer shows, as an option of a command and of those below it. */
public final class ViewerToken {
  @Option(
      names = "--viewer-token",
      paramLabel = "TOKEN",
      defaultValue = "${env:GALOP_VIEWER_TOKEN}",
      showDefaultValue = Visibility.NEVER,
      scope = ScopeType.INHERIT,
      description =
          "A viewer's token, if the node requires one. The process list shows it to others: prefer"
              + " the variable GALOP_VIEWER_TOKEN.")
  private @Nullable String token;

  /** The token; empty where there is none. */
  public String text() {
    return token == null ? "" : token.strip();
  }
}
