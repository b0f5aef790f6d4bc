package io.galop.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A header of a request. */
public record PollHeaderConfig(
    @Doc("Its name.") String name,
    @Doc("Its value; a secret is better kept in valueFile or valueVariable.") @Default("") @Secret
        String value,
    @Doc("A file whose first line is the value; read before each request.") @Default("")
        String valueFile,
    @Doc("The environment variable that holds the value.") @Default("") String valueVariable) {
  public PollHeaderConfig {
    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
      throw new IllegalArgumentException("name must be that of a header, such as Authorization");
    }
    if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
      throw new IllegalArgumentException("value must be one line");
    }
    long given = Stream.of(value, valueFile, valueVariable).filter(v -> !v.isEmpty()).count();
    if (given > 1) {
      throw new IllegalArgumentException(
          "value must be given once: as value, valueFile or valueVariable");
    }
  }

  /**
   * The value, from wherever it is kept; blocks.
   *
   * @throws IOException naming the file or the variable, never the value
   */
  public String readValue() throws IOException {
    if (!valueVariable.isEmpty()) {
      return Optional.ofNullable(System.getenv(valueVariable))
          .orElseThrow(
              () -> new IOException("the environment variable " + valueVariable + " is not set"));
    }
    if (valueFile.isEmpty()) {
      return value;
    }
    try {
      return Files.readString(Path.of(valueFile)).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw new IOException("the file " + valueFile + " cannot be read", e);
    }
  }
}
