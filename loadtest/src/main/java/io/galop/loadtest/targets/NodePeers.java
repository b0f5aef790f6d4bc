package io.galop.loadtest.targets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The peers that run on Node.js: unpacked once into the user's cache, with the packages of their
 * lock file, and used from there as long as the lock file stays the same.
 */
final class NodePeers {
  private static final String LOCK = "package-lock.json";
  private static final List<String> FILES =
      List.of("package.json", LOCK, "door.js", "sockjs-node.js", "socket-io.js");

  private NodePeers() {}

  /** The path of a script that can be run. */
  static Path script(String name) throws IOException, InterruptedException {
    Path dir = cache().resolve(HexFormat.of().toHexDigits(Arrays.hashCode(resource(LOCK))));
    Files.createDirectories(dir);
    for (String file : FILES) {
      try (InputStream in = open(file)) {
        Files.copy(in, dir.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path done = dir.resolve("installed");
    if (!Files.exists(done)) {
      install(dir);
      Files.createFile(done);
    }
    return dir.resolve(name);
  }

  private static Path cache() {
    String set = System.getenv("XDG_CACHE_HOME");
    Path caches =
        set == null || set.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(set);
    return caches.resolve("galop-loadtest");
  }

  private static InputStream open(String file) {
    return NodePeers.class.getResourceAsStream("/peers/node/" + file);
  }

  private static byte[] resource(String file) throws IOException {
    try (InputStream in = open(file)) {
      return in.readAllBytes();
    }
  }

  private static void install(Path dir) throws IOException, InterruptedException {
    Path log = dir.resolve("install.log");
    Process npm =
        new ProcessBuilder("npm", "ci", "--silent", "--no-audit", "--no-fund", "--omit=optional")
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (npm.waitFor() != 0) {
      throw new IOException(
          "npm could not install the peers; is it there, and a registry in reach?\n"
              + Files.readString(log));
    }
  }
}
