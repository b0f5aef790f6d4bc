package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Secret;
import io.galop.yaml.Shown;
import io.galop.yaml.Words;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;

/** Somebody, or a program, who may come to the management port. */
public record OperatorConfig(
    @Doc("Who it is, for the audit log and as the user of HTTP Basic.") String name,
    @Doc("A viewer looks; an operator also acts.") Rights role,
    @Doc("The SHA-256 of the token, as 64 hexadecimal digits.") @Default("") @Secret
        String tokenHash,
    @Doc("A file whose first line is that; looked at every second.") @Default("")
        String tokenHashFile,
    @Doc(
            "The subject of a client certificate, such as CN=anna,O=Example; needs "
                + "clientCa of the listener's tls.")
        @Default("")
        String subject) {
  private static final String HASH = "[0-9a-fA-F]{64}";

  /** What somebody may do. */
  public enum Rights {
    /** Looks: status, meters, console. */
    VIEWER,
    /** Looks and acts. */
    OPERATOR;

    /** As it is written in the configuration. */
    public String word() {
      return Words.of(this);
    }
  }

  public OperatorConfig {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 letters, digits, '.', '_', '@' or '-', not '" + name + "'");
    }
    if (Stream.of(tokenHash, tokenHashFile, subject).filter(one -> !one.isEmpty()).count() != 1) {
      throw new IllegalArgumentException(
          "tokenHash must be given, or tokenHashFile or subject, and only one of them");
    }
    if (!tokenHash.isEmpty() && !isHash(tokenHash)) {
      throw new IllegalArgumentException(
          "tokenHash must be 64 hexadecimal digits, the SHA-256 of the token and not the token");
    }
    if (!subject.isEmpty()) {
      principal(subject);
    }
  }

  /** Without the hash: who has it can try tokens. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /** Whether a text has the form of a token's hash. */
  public static boolean isHash(String text) {
    return text.matches(HASH);
  }

  /** The subject in a form that can be compared; only where one is given. */
  public X500Principal principal() {
    return principal(subject);
  }

  private static X500Principal principal(String subject) {
    try {
      return new X500Principal(subject);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "subject must be that of a certificate, such as CN=anna,O=Example, not '" + subject + "'",
          e);
    }
  }
}
