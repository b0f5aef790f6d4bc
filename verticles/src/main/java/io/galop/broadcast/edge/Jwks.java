package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenAlgorithm;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads a JSON Web Key Set, RFC 7517. A key's type decides its one algorithm, and its {@code alg},
 * {@code use} and {@code key_ops} may only forbid it. Keys for something else are passed over, as
 * sets have them; a key that is for tokens and is not safe is named.
 */
final class Jwks {
  /** A token is tried with one of them, mostly. */
  private static final int MOST_KEYS = 100;

  private static final int MIN_RSA_BITS = 2048;
  private static final int MAX_RSA_BITS = 16_384;
  private static final int MIN_SECRET_BYTES = 32;
  private static final int P256_BYTES = 32;
  private static final int ED25519_BYTES = 32;

  /** What X.509 puts before the bytes of a public key on Ed25519, RFC 8410. */
  private static final byte[] ED25519_HEADER = {
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
  };

  private final List<TokenAlgorithm> algorithms;
  private final List<VerifyKey> keys = new ArrayList<>();
  private final List<String> unsafe = new ArrayList<>();

  private Jwks(List<TokenAlgorithm> algorithms) {
    this.algorithms = algorithms;
  }

  /**
   * Reads a set.
   *
   * @param algorithms those that count
   * @throws IllegalArgumentException with what is wrong, if it is none or has no key to verify with
   */
  static Jwks parse(byte[] text, List<TokenAlgorithm> algorithms) {
    Jwks read = new Jwks(algorithms);
    JsonArray all = array(text);
    if (all.size() > MOST_KEYS) {
      throw new IllegalArgumentException("it has more than " + MOST_KEYS + " keys");
    }
    for (int i = 0; i < all.size(); i++) {
      if (!(all.getValue(i) instanceof JsonObject key)) {
        throw new IllegalArgumentException("keys[" + i + "] is no object");
      }
      read.add(key, "keys[" + i + "]");
    }
    if (read.keys.isEmpty()) {
      throw new IllegalArgumentException(
          "none of its %d keys verifies tokens of %s%s"
              .formatted(
                  all.size(),
                  algorithms.stream().map(TokenAlgorithm::word).toList(),
                  read.unsafe.isEmpty() ? "" : ": " + String.join("; ", read.unsafe)));
    }
    return read;
  }

  private static JsonArray array(byte[] text) {
    try {
      if (Json.decodeValue(Buffer.buffer(text)) instanceof JsonObject set
          && set.getValue("keys") instanceof JsonArray keys) {
        return keys;
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException("it is not JSON", e);
    }
    throw new IllegalArgumentException("it is no JSON object with a list of keys");
  }

  /** The keys that tokens are verified with. */
  KeySet keys() {
    return KeySet.of(keys);
  }

  /** What is wrong with keys that are for tokens and do not count, each a sentence. */
  List<String> unsafe() {
    return unsafe;
  }

  private void add(JsonObject key, String place) {
    TokenAlgorithm algorithm = algorithm(key);
    if (algorithm == null || !algorithms.contains(algorithm) || !isFor(key, algorithm)) {
      return;
    }
    String kid = key.getValue("kid") instanceof String text ? text : "";
    try {
      if (algorithm != TokenAlgorithm.HS256 && key.containsKey("d")) {
        throw new IllegalArgumentException("it is a private key, and everyone may read it");
      }
      keys.add(VerifyKey.of(kid, algorithm, key(key, algorithm)));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      unsafe.add("%s (kid '%s') does not count: %s".formatted(place, kid, e.getMessage()));
    }
  }

  /** Null: it is of a kind that is not known here. */
  private static @org.jspecify.annotations.Nullable TokenAlgorithm algorithm(JsonObject key) {
    String type = String.valueOf(key.getValue("kty"));
    String curve = String.valueOf(key.getValue("crv"));
    return switch (type) {
      case "oct" -> TokenAlgorithm.HS256;
      case "RSA" -> TokenAlgorithm.RS256;
      case "EC" -> curve.equals("P-256") ? TokenAlgorithm.ES256 : null;
      case "OKP" -> curve.equals("Ed25519") ? TokenAlgorithm.EDDSA : null;
      default -> null;
    };
  }

  /** RFC 7517 4.2 to 4.4; what is not there forbids nothing. */
  private static boolean isFor(JsonObject key, TokenAlgorithm algorithm) {
    Object operations = key.getValue("key_ops");
    boolean mayVerify =
        operations == null || operations instanceof JsonArray several && several.contains("verify");
    return "sig".equals(key.getValue("use", "sig"))
        && isNamed(String.valueOf(key.getValue("alg", algorithm.word())), algorithm)
        && mayVerify;
  }

  /** RFC 9864 has another name for EdDSA on Ed25519. */
  private static boolean isNamed(String alg, TokenAlgorithm algorithm) {
    return alg.equals(algorithm.word())
        || algorithm == TokenAlgorithm.EDDSA && alg.equals("Ed25519");
  }

  private static Key key(JsonObject key, TokenAlgorithm algorithm) throws GeneralSecurityException {
    return switch (algorithm) {
      case HS256 -> secret(bytes(key, "k"));
      case RS256 -> rsa(number(key, "n"), number(key, "e"));
      case ES256 -> ec(bytes(key, "x"), bytes(key, "y"));
      case EDDSA -> ed(bytes(key, "x"));
    };
  }

  private static Key secret(byte[] secret) {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException("its secret has " + secret.length + " bytes of 32");
    }
    return new SecretKeySpec(secret, "HmacSHA256");
  }

  private static Key rsa(BigInteger modulus, BigInteger exponent) throws GeneralSecurityException {
    int bits = modulus.bitLength();
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
      throw new IllegalArgumentException("it has " + bits + " bits; 2048 to 16384 are taken");
    }
    if (exponent.bitLength() < 2 || exponent.bitLength() > Long.SIZE || !exponent.testBit(0)) {
      throw new IllegalArgumentException("its exponent is none of RSA");
    }
    return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
  }

  private static Key ec(byte[] x, byte[] y) throws GeneralSecurityException {
    if (x.length != P256_BYTES || y.length != P256_BYTES) {
      throw new IllegalArgumentException("its x and y must be of 32 bytes");
    }
    AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
    curve.init(new ECGenParameterSpec("secp256r1"));
    ECParameterSpec p256 = curve.getParameterSpec(ECParameterSpec.class);
    ECPoint point = new ECPoint(new BigInteger(1, x), new BigInteger(1, y));
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, p256));
  }

  private static Key ed(byte[] x) throws GeneralSecurityException {
    if (x.length != ED25519_BYTES) {
      throw new IllegalArgumentException("its x must be of 32 bytes");
    }
    byte[] encoded = java.util.Arrays.copyOf(ED25519_HEADER, ED25519_HEADER.length + x.length);
    System.arraycopy(x, 0, encoded, ED25519_HEADER.length, x.length);
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
  }

  private static BigInteger number(JsonObject key, String name) {
    return new BigInteger(1, bytes(key, name));
  }

  private static byte[] bytes(JsonObject key, String name) {
    if (key.getValue(name) instanceof String text && !text.isEmpty()) {
      try {
        return Base64.getUrlDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("its " + name + " is not Base64url", e);
      }
    }
    throw new IllegalArgumentException("it has no " + name);
  }
}
