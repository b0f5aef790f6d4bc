package io.galop.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Certificates that openssl makes for a test.
 *
 * @param directory with a PEM file of certificate and key for each name, as HAProxy takes them
 */
record Certificate(Path directory) {
  /** Makes one for each name. */
  static Certificate make(Path directory, String... names)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    for (String name : names) {
      Path certificate = directory.resolveSibling(name + ".crt");
      Path key = directory.resolveSibling(name + ".key");
      List<String> command =
          List.of(
              ("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=%s -addext"
                      + " subjectAltName=DNS:%s -out %s -keyout %s")
                  .formatted(name, name, certificate, key)
                  .split(" "));
      Process openssl =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (openssl.waitFor() != 0) {
        throw new AssertionError("openssl made no certificate for " + name);
      }
      Files.writeString(
          directory.resolve(name + ".pem"), Files.readString(certificate) + Files.readString(key));
    }
    return new Certificate(directory);
  }

  /** The file that clients trust. */
  Path of(String name) {
    return directory.resolveSibling(name + ".crt");
  }
}
