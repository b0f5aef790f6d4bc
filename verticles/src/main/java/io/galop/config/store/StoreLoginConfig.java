package io.galop.config.store;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Secret;
import io.galop.yaml.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who Galop is to a store. */
public record StoreLoginConfig(
    @Doc("The user; empty: the store's default.") @Default("") String user,
    @Doc("Prefer passwordFile or passwordVariable.") @Default("") @Secret String password,
    @Doc("A file whose first line is the password.") @Default("") String passwordFile,
    @Doc("The environment variable with the password.") @Default("") String passwordVariable) {
  public StoreLoginConfig {
    int given =
        (password.isEmpty() ? 0 : 1)
            + (passwordFile.isEmpty() ? 0 : 1)
            + (passwordVariable.isEmpty() ? 0 : 1);
    if (given > 1) {
      throw new IllegalArgumentException(
          "password must be given once: as password, passwordFile or passwordVariable");
    }
  }

  /** Says where the password is, never what it is: a log may show any configuration. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /**
   * The password, from wherever it is kept; empty if there is none. Read at every connect, so that
   * it can be changed without a restart.
   *
   * @throws IOException naming the file or the variable, never the password
   */
  public String readPassword() throws IOException {
    if (!passwordVariable.isEmpty()) {
      String value = System.getenv(passwordVariable);
      if (value == null) {
        throw new IOException("the environment variable " + passwordVariable + " is not set");
      }
      return value;
    }
    if (passwordFile.isEmpty()) {
      return password;
    }
    try {
      return Files.readString(Path.of(passwordFile)).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new IOException("the password file " + passwordFile + " cannot be read", e);
    }
  }
}
