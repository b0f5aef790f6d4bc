package io.galop.extend;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The source of a script verticle.
 *
 * @param name for messages, as the configuration has it
 * @param text what is in the file
 */
public record ScriptText(String name, String text) {
  private static final String PACKED = "/scripts/";

  /**
   * Finds a script beside the configuration, in the working directory or among those in the jar.
   *
   * @throws ProgramException saying where it was looked for
   */
  public static ScriptText find(String directory, String name) {
    try {
      for (Path place : new Path[] {Path.of(directory).resolve(name), Path.of(name)}) {
        if (Files.isRegularFile(place)) {
          return new ScriptText(name, Files.readString(place));
        }
      }
      return packed(directory, name);
    } catch (IOException e) {
      throw new ProgramException(name + " cannot be read: " + e);
    }
  }

  private static ScriptText packed(String directory, String name) throws IOException {
    try (InputStream in = ScriptText.class.getResourceAsStream(PACKED + name)) {
      if (in == null) {
        throw new ProgramException(
            "there is no file %s in %s (enrich.directory), in %s or among those of Galop; put it there"
                .formatted(
                    name,
                    Path.of(directory).toAbsolutePath().normalize(),
                    Path.of("").toAbsolutePath()));
      }
      return new ScriptText(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
