package io.galop.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An authority of a test, and a certificate of it for nodes; openssl makes both. */
public record Authority(Path home) {
  /** Makes them in a directory. */
  public static Authority make(Path home) throws IOException, InterruptedException {
    Files.createDirectories(home);
    openssl(
        home, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -out ca.crt -keyout ca.key");
    openssl(home, "req -newkey rsa:2048 -nodes -subj /CN=node -out node.csr -keyout node.key");
    openssl(
        home,
        "x509 -req -days 2 -in node.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out node.crt");
    return new Authority(home);
  }

  /** Runs openssl in a directory; no argument has a blank. */
  public static void openssl(Path home, String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join(" ", command) + ": " + said);
    }
  }

  /** The settings of a node that has the certificate and trusts the authority. */
  public List<String> settings() {
    return settings(this);
  }

  /** The settings of a node that has the certificate and trusts another authority. */
  public List<String> settings(Authority trusted) {
    return List.of(
        "cluster.tls.certificateFile=" + home.resolve("node.crt"),
        "cluster.tls.keyFile=" + home.resolve("node.key"),
        "cluster.tls.caFile=" + trusted.home.resolve("ca.crt"));
  }
}
