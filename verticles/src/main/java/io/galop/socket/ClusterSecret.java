package io.galop.socket;

import io.galop.config.ClusterConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the nodes of a cluster know and others do not. It never goes over the wire: each side of a
 * connection proves that it has it, by a code over numbers that both have drawn for this
 * connection.
 */
public final class ClusterSecret {
  static final int NONCE_BYTES = 16;
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int NAME_BYTES = 12;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  private ClusterSecret(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /**
   * Reads it from the configuration or its file; blocks.
   *
   * @throws ConfigException if the file cannot be read or holds none
   */
  public static Optional<ClusterSecret> of(ClusterConfig config) {
    if (config.secretFile().isEmpty()) {
      return Optional.of(config.secret()).filter(text -> !text.isEmpty()).map(ClusterSecret::new);
    }
    try {
      return Optional.of(new ClusterSecret(SecretFile.read(config.secretFile())));
    } catch (IOException e) {
      throw new ConfigException(
          List.of(
              "cluster.secretFile: must name a file with a secret: '%s': %s"
                  .formatted(config.secretFile(), e.getMessage())));
    }
  }

  /**
   * What is wrong with it where the node needs it, each a sentence that begins with a dotted path;
   * blocks.
   */
  static List<String> problems(ClusterConfig config) {
    try {
      if (config.isClustered()) {
        of(config);
      }
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  /** A name that only those have who know the secret. */
  public String nameOf(String cluster) {
    byte[] code = code("name", cluster.getBytes(StandardCharsets.UTF_8), new byte[0]);
    return cluster + '-' + HexFormat.of().formatHex(Arrays.copyOf(code, NAME_BYTES));
  }

  static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /** What the one who has opened a connection shows. */
  byte[] callerProof(byte[] server, byte[] caller) {
    return code("caller", server, caller);
  }

  /** What the one who has taken it shows. */
  byte[] serverProof(byte[] server, byte[] caller) {
    return code("server", server, caller);
  }

  static boolean isSame(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }

  private byte[] code(String purpose, byte[] first, byte[] second) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(("galop " + purpose + '\n').getBytes(StandardCharsets.US_ASCII));
      mac.update(first);
      return mac.doFinal(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
