package io.galop.guest;

import io.galop.config.enrich.FileSearch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The source of a script or verticle.
 *
 * @param name for messages, as the configuration has it
 * @param text what is in the file
 */
public record SourceFile(String name, String text) {
  private static final String PACKED = "/scripts/";

  /**
   * Finds a source beside the configuration, in the working directory or among those in the jar.
   *
   * @throws IllegalArgumentException saying where it was looked for
   */
  public static SourceFile find(String directory, String name) {
    try {
      Optional<Path> path = FileSearch.find(directory, name);
      Optional<String> text =
          path.isPresent() ? Optional.of(Files.readString(path.get())) : packed(name);
      return new SourceFile(name, text.orElseThrow(() -> missing(directory, name)));
    } catch (IOException e) {
      throw new IllegalArgumentException(name + " cannot be read: " + e, e);
    }
  }

  private static IllegalArgumentException missing(String directory, String name) {
    return new IllegalArgumentException(
        "there is no file %s in %s or among those of Galop; put it there"
            .formatted(name, FileSearch.places(directory)));
  }

  /** A text file that comes with Galop; empty if there is none of that name. */
  public static Optional<String> packed(String name) throws IOException {
    try (InputStream in = SourceFile.class.getResourceAsStream(PACKED + name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
