package io.galop.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The page's files, as they are packed into the jar. */
final class Webroot {
  static final Path DIRECTORY = Path.of("../webroot");

  private Webroot() {}

  static List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(DIRECTORY)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
