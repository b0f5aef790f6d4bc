package io.galop.broadcast.edge;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
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

  private TestTokens(Path keyFile, String algorithm, PrivateKey key) {
    this.keyFile = keyFile;
    this.algorithm = algorithm;
    this.key = key;
  }

  /** An issuer whose key is in a new file of the directory. */
  public static TestTokens of(String algorithm, Path directory) throws Exception {
    Path file = directory.resolve(algorithm + ".key");
    if (algorithm.equals("HS256")) {
      Files.writeString(file, SECRET + "\n");
      return new TestTokens(file, algorithm, null);
    }
    KeyPair pair = algorithm.equals("RS256") ? rsa(2048) : ec("secp256r1");
    Files.writeString(file, pem(pair));
    return new TestTokens(file, algorithm, pair.getPrivate());
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

  static JsonObject claims(String subject, long seconds, String... topics) {
    return new JsonObject()
        .put("sub", subject)
        .put("exp", System.currentTimeMillis() / 1000 + seconds)
        .put("topics", List.of(topics));
  }

  String sign(JsonObject claims) {
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
      boolean isRsa = algorithm.equals("RS256");
      Signature signer =
          Signature.getInstance(isRsa ? "SHA256withRSA" : "SHA256withECDSAinP1363Format");
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
