package io.galop.broadcast.edge;

import io.galop.config.broadcast.BroadcastConfig;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Whoever issues tokens: keys in files, and tokens signed with them. */
public final class TestTokens {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private final Path keyFile;
  private final String algorithm;
  private final PrivateKey key;
  private final PublicKey publicKey;

  private TestTokens(Path keyFile, String algorithm, PrivateKey key, PublicKey publicKey) {
    this.publicKey = publicKey;
    this.keyFile = keyFile;
    this.algorithm = algorithm;
    this.key = key;
  }

  /** An issuer whose key is in a new file of the directory. */
  public static TestTokens of(String algorithm, Path directory) throws Exception {
    Path file = directory.resolve(algorithm + ".key");
    if (algorithm.equals("HS256")) {
      Files.writeString(file, SECRET + "\n");
      return new TestTokens(file, algorithm, null, null);
    }
    KeyPair pair =
        switch (algorithm) {
          case "RS256" -> rsa(2048);
          case "EdDSA" -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
          default -> ec("secp256r1");
        };
    Files.writeString(file, pem(pair));
    return new TestTokens(file, algorithm, pair.getPrivate(), pair.getPublic());
  }

  static KeyPair rsa(int bits) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(bits);
    return generator.generateKeyPair();
  }

  static KeyPair ec(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  static String pem(KeyPair pair) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  /** Reads tokens with the keys of a file, and revokes none. */
  static Tokens reader(BroadcastConfig config) {
    return new Tokens(config, TokenKeys.of(config.token()), new Revocations(config.token()));
  }

  public Path keyFile() {
    return keyFile;
  }

  /** The settings of a node that asks for these tokens. */
  public List<String> settings() {
    return List.of(
        "broadcast.token.keyFile=" + keyFile,
        "broadcast.token.algorithm=" + algorithm.toLowerCase(Locale.ROOT));
  }

  /** A token that is good for so long. */
  public String token(String subject, long seconds, String... topics) {
    return sign(claims(subject, seconds, topics));
  }

  /** The key as one of a set. */
  public JsonObject jwk(String kid) {
    JsonObject jwk = new JsonObject().put("kid", kid).put("use", "sig").put("alg", algorithm);
    if (key == null) {
      byte[] secret = SECRET.getBytes(StandardCharsets.US_ASCII);
      return jwk.put("kty", "oct").put("k", encoded(secret));
    }
    if (publicKey instanceof RSAPublicKey rsa) {
      return jwk.put("kty", "RSA")
          .put("n", encoded(unsigned(rsa.getModulus(), 256)))
          .put("e", encoded(unsigned(rsa.getPublicExponent(), 3)));
    }
    if (publicKey instanceof ECPublicKey ec) {
      return jwk.put("kty", "EC")
          .put("crv", "P-256")
          .put("x", encoded(unsigned(ec.getW().getAffineX(), 32)))
          .put("y", encoded(unsigned(ec.getW().getAffineY(), 32)));
    }
    byte[] encoded = publicKey.getEncoded();
    byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return jwk.put("kty", "OKP").put("crv", "Ed25519").put("x", encoded(x));
  }

  private static byte[] unsigned(BigInteger number, int bytes) {
    byte[] all = new byte[bytes];
    byte[] signed = number.toByteArray();
    int length = Math.min(bytes, signed.length);
    System.arraycopy(signed, signed.length - length, all, bytes - length, length);
    return all;
  }

  /** A token whose header names a key. */
  public String token(String kid, JsonObject claims) {
    return sign(new JsonObject().put("alg", algorithm).put("kid", kid), claims);
  }

  public static JsonObject claims(String subject, long seconds, String... topics) {
    return new JsonObject()
        .put("sub", subject)
        .put("exp", System.currentTimeMillis() / 1000 + seconds)
        .put("topics", List.of(topics));
  }

  public String sign(JsonObject claims) {
    return sign(new JsonObject().put("alg", algorithm).put("typ", "JWT"), claims);
  }

  String sign(JsonObject header, JsonObject claims) {
    String signed = encoded(header.encode()) + "." + encoded(claims.encode());
    return signed + "." + encoded(signature(signed.getBytes(StandardCharsets.US_ASCII)));
  }

  private byte[] signature(byte[] signed) {
    try {
      if (key == null) {
        return hmac(SECRET.getBytes(StandardCharsets.US_ASCII), signed);
      }
      Signature signer =
          Signature.getInstance(
              switch (algorithm) {
                case "RS256" -> "SHA256withRSA";
                case "EdDSA" -> "Ed25519";
                default -> "SHA256withECDSAinP1363Format";
              });
      signer.initSign(key);
      signer.update(signed);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] hmac(byte[] secret, byte[] signed) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    return mac.doFinal(signed);
  }

  static String encoded(String text) {
    return encoded(text.getBytes(StandardCharsets.UTF_8));
  }

  static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
