package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A certificate that signs itself, for a server whose clients do not check it.
 *
 * @param certificate PEM
 * @param key PEM
 */
record Certificate(Path certificate, Path key) {
  private static final String DAYS = "2";

  /** Makes one for localhost in a directory; RSA of 2,048 bits, as most sites still have. */
  static Certificate make(Path dir) throws IOException, InterruptedException {
    Path key = dir.resolve("key");
    Path certificate = dir.resolve("certificate");
    Path log = dir.resolve("openssl.log");
    List<String> command =
        List.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            DAYS,
            "-subj",
            "/CN=localhost",
            "-keyout",
            key.toString(),
            "-out",
            certificate.toString());
    if (Launch.run(command, log).waitFor() != 0) {
      throw new IOException("openssl made no certificate:\n" + Files.readString(log));
    }
    return new Certificate(certificate, key);
  }

  /** Writes both into one file, as HAProxy takes them. */
  Path together(Path file) throws IOException {
    return Files.writeString(file, Files.readString(certificate) + Files.readString(key));
  }
}
