package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenAlgorithm;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A key that verifies tokens of one algorithm, and no other. Immutable.
 *
 * @param kid by which a token names it; empty: it has no name
 * @param algorithm the only one that it is used for
 * @param id of kid, algorithm and key: a key that takes the kid of another has another
 */
record VerifyKey(String kid, TokenAlgorithm algorithm, Key key, String id) {
  static VerifyKey of(String kid, TokenAlgorithm algorithm, Key key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      String id = algorithm.word() + ' ' + HexFormat.of().formatHex(digest) + ' ' + kid;
      return new VerifyKey(kid, algorithm, key, id);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  boolean isGood(byte[] signed, byte[] signature) {
    return new Signatures(algorithm, key).isGood(signed, signature);
  }

  /** A secret is not for logs. */
  @Override
  public String toString() {
    return "key " + kid;
  }
}
