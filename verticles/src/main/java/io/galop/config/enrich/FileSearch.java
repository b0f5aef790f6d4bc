package io.galop.config.enrich;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the files that the configuration names. */
public final class FileSearch {
  private FileSearch() {}

  /** The file in the configured directory, else in the working directory. */
  public static Optional<Path> find(String directory, String file) {
    Path configured = Path.of(directory).resolve(file);
    if (Files.isRegularFile(configured)) {
      return Optional.of(configured);
    }
    Path inWorkingDirectory = Path.of(file);
    return Files.isRegularFile(inWorkingDirectory)
        ? Optional.of(inWorkingDirectory)
        : Optional.empty();
  }

  /** Where {@link #find} looks, for a message. */
  public static String places(String directory) {
    return Path.of(directory).toAbsolutePath().normalize()
        + " (enrich.directory) and "
        + Path.of("").toAbsolutePath();
  }
}
