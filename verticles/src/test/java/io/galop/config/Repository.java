package io.galop.config;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds files of the project from wherever the tests are started. */
final class Repository {
  private Repository() {}

  static Path file(String path) {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null && !Files.isRegularFile(directory.resolve("cluster.xml"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      throw new IllegalStateException("the tests have to run inside the project");
    }
    return directory.resolve(path);
  }
}
