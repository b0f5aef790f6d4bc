package io.galop.cli.certificates;

import io.galop.cli.CliFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JDK's keytool, which every Java has beside its {@code java}: it signs certificates, for which
 * the JDK has no public class.
 */
final class Keytool {
  private static final String PASSWORD_VARIABLE = "GALOP_KEYTOOL_PASSWORD";

  private final Path store;
  private final String password;

  /** For a PKCS #12 file. */
  Keytool(Path store, String password) {
    this.store = store;
    this.password = password;
  }

  /** Runs it to its end; the password is not on its command line. */
  void run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass:env", PASSWORD_VARIABLE, "-noprompt"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD_VARIABLE, password);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw CliFailure.failed("keytool made no certificate: " + said.strip());
    }
  }
}
