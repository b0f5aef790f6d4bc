package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Secret;
import io.galop.yaml.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A header of a request. */
public record PollHeaderConfig(
    @Doc("Its name.") String name,
    @Doc("Its value; for a secret prefer valueFile or valueVariable.") @Default("") @Secret
        String value,
    @Doc("A file whose first line is the value; read before each request.") @Default("")
        String valueFile,
    @Doc("The environment variable with the value.") @Default("") String valueVariable) {
  private static final int DELETE = 127;

  public PollHeaderConfig {
    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
      throw new IllegalArgumentException("name must be that of a header, such as Authorization");
    }
    if (!isOneLine(value)) {
      throw new IllegalArgumentException("value must be one line");
    }
    long given = Stream.of(value, valueFile, valueVariable).filter(v -> !v.isEmpty()).count();
    if (given > 1) {
      throw new IllegalArgumentException(
          "value must be given once: as value, valueFile or valueVariable");
    }
  }

  /** Without the value: a log may show any configuration. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /**
   * The value, from wherever it is kept, without space around it; blocks.
   *
   * @throws IOException naming the file or the variable, never the value
   */
  public String readValue() throws IOException {
    return readValue(System.getenv());
  }

  String readValue(Map<String, String> environment) throws IOException {
    if (!valueVariable.isEmpty()) {
      String where = "the environment variable " + valueVariable;
      return checked(
          Optional.ofNullable(environment.get(valueVariable))
              .orElseThrow(() -> new IOException(where + " is not set")),
          where);
    }
    return valueFile.isEmpty() ? value : checked(firstLine(), "the file " + valueFile);
  }

  /** Whoever sends a header that cannot be one says why with its value, so none gets so far. */
  private static String checked(String text, String where) throws IOException {
    String value = text.strip();
    if (!isOneLine(value)) {
      throw new IOException(
          where + " holds a control character, which no header may; write the value in one line");
    }
    return value;
  }

  private static boolean isOneLine(String value) {
    return value.chars().noneMatch(c -> c < ' ' && c != '\t' || c == DELETE);
  }

  private String firstLine() throws IOException {
    try {
      return Files.readString(Path.of(valueFile)).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new IOException("the file " + valueFile + " cannot be read", e);
    }
  }
}
