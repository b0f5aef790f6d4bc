package io.galop.enrich.script;

import io.galop.enrich.FileSearch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A script as it was found.
 *
 * @param name for messages
 * @param text its source
 */
public record ScriptFile(String name, String text) {
  private static final String PACKED = "/scripts/";

  /**
   * Finds a script beside the configuration, in the working directory or among those in the jar.
   *
   * @throws IllegalArgumentException saying where it was looked for
   */
  public static ScriptFile find(String directory, String file) {
    try {
      Optional<Path> path = FileSearch.find(directory, file);
      if (path.isPresent()) {
        return new ScriptFile(file, Files.readString(path.get()));
      }
      return packed(directory, file);
    } catch (IOException e) {
      throw new IllegalArgumentException("script " + file + " cannot be read: " + e, e);
    }
  }

  private static ScriptFile packed(String directory, String file) throws IOException {
    try (InputStream in = ScriptFile.class.getResourceAsStream(PACKED + file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "script %s is neither in %s nor one that comes with Galop; put it there"
                .formatted(file, FileSearch.places(directory)));
      }
      return new ScriptFile(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
