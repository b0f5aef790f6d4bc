package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.config.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The token of an operator, as an option of a command; never on the command line itself. */
final class OperatorToken {
  private static final String VARIABLE = "GALOP_OPERATOR_TOKEN";

  @Option(
      names = "--operator-token-file",
      paramLabel = "FILE",
      defaultValue = "${env:GALOP_OPERATOR_TOKEN_FILE}",
      description =
          "A file whose first line is an operator's token, if the node asks for one. Default:"
              + " GALOP_OPERATOR_TOKEN_FILE, or the token itself in GALOP_OPERATOR_TOKEN. Or show a"
              + " certificate: --cert and --key.")
  private @Nullable Path file;

  /** The token; empty where there is none. Blocks. */
  String text() {
    if (file == null) {
      return Optional.ofNullable(System.getenv(VARIABLE)).orElse("").strip();
    }
    String token;
    try {
      token = Files.readString(file).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw CliFailure.usage("--operator-token-file cannot be read: " + FileFault.of(e));
    }
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
      throw CliFailure.usage(
          "--operator-token-file must name a file whose first line is a token; see " + file);
    }
    return token;
  }
}
