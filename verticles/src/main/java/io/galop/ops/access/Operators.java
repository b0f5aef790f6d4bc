package io.galop.ops.access;

import io.galop.config.GalopConfig;
import io.galop.config.OperatorConfig;
import io.galop.socket.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Who may log in. Files with hashes are read again, so that a token can be changed without a
 * restart; while a file cannot be read, nobody has its login. Safe to call from any thread, but for
 * {@link #look}, which one thread calls.
 */
public final class Operators {
  private final List<OperatorConfig> configs;

  /** One for each that is configured; empty where a certificate or nothing logs him in. */
  private volatile List<Optional<byte[]>> hashes = List.of();

  /** Of a node; nobody has a token before the first {@link #look}. */
  public Operators(GalopConfig config) {
    this.configs = config.management().operators();
  }

  /** Whether anybody is named; else everybody who reaches the port may do everything. */
  public boolean areGiven() {
    return !configs.isEmpty();
  }

  /**
   * Reads the hashes; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public List<String> look() {
    List<Optional<byte[]>> read = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < configs.size(); i++) {
      try {
        read.add(hash(configs.get(i)));
      } catch (IOException e) {
        read.add(Optional.empty());
        problems.add(
            "management.operators[%d].tokenHashFile: must name a file with a token's SHA-256: '%s': %s"
                .formatted(i, configs.get(i).tokenHashFile(), e.getMessage()));
      }
    }
    hashes = List.copyOf(read);
    return problems;
  }

  private static Optional<byte[]> hash(OperatorConfig config) throws IOException {
    if (!config.subject().isEmpty()) {
      return Optional.empty();
    }
    boolean isInFile = !config.tokenHashFile().isEmpty();
    String hash = isInFile ? SecretFile.read(config.tokenHashFile()) : config.tokenHash();
    if (!OperatorConfig.isHash(hash)) {
      throw new IOException("its first line is not 64 hexadecimal digits");
    }
    return Optional.of(HexFormat.of().parseHex(hash));
  }

  /** What {@code galop check} and a start find; blocks. */
  public static List<String> problems(GalopConfig config) {
    return new Operators(config).look();
  }

  /** Whose token it is. Takes as long whoever it is, and if it is nobody's. */
  Optional<OperatorConfig> withToken(Credentials shown) {
    byte[] hash = sha256(shown.token());
    List<Optional<byte[]>> known = hashes;
    Optional<OperatorConfig> found = Optional.empty();
    for (int i = 0; i < known.size(); i++) {
      boolean isHis = MessageDigest.isEqual(known.get(i).orElse(new byte[0]), hash);
      found = isHis ? Optional.of(configs.get(i)) : found;
    }
    return found.filter(one -> shown.user().isEmpty() || shown.user().equals(one.name()));
  }

  /** Whom a certificate names, which TLS has verified. */
  Optional<OperatorConfig> withCertificate(X509Certificate certificate) {
    return configs.stream()
        .filter(one -> !one.subject().isEmpty())
        .filter(one -> one.principal().equals(certificate.getSubjectX500Principal()))
        .findFirst();
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
