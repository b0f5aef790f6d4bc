package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

/** Reads the key that tokens are verified with, and refuses one that does not fit its algorithm. */
final class TokenKey {
  private static final int MIN_SECRET_BYTES = 32;
  private static final int MIN_RSA_BITS = 2048;
  private static final int P256_BITS = 256;
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END [A-Z0-9 ]+-----");

  private TokenKey() {}

  /**
   * Reads the file; blocks.
   *
   * @throws IllegalArgumentException with what is wrong, beginning with the key's dotted path
   */
  static Key read(TokenConfig config) {
    try {
      byte[] file = Files.readAllBytes(Path.of(config.keyFile()));
      return switch (config.algorithm()) {
        case HS256 -> secret(file);
        case RS256 -> rsa(file);
        case ES256 -> ec(file);
        case EDDSA -> ed(file);
      };
    } catch (IOException e) {
      throw unfit(config, "it cannot be read", e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unfit(config, String.valueOf(e.getMessage()), e);
    }
  }

  private static IllegalArgumentException unfit(TokenConfig config, String why, Exception cause) {
    String fits =
        switch (config.algorithm()) {
          case HS256 -> "a secret of at least 32 bytes";
          case RS256 -> "a public RSA key of at least 2048 bits, as PEM";
          case ES256 -> "a public key on the curve P-256, as PEM";
          case EDDSA -> "a public key on the curve Ed25519, as PEM";
        };
    return new IllegalArgumentException(
        "broadcast.token.keyFile must name a file with %s: '%s': %s"
            .formatted(fits, config.keyFile(), why),
        cause);
  }

  private static Key secret(byte[] file) {
    if (PEM.matcher(new String(file, StandardCharsets.ISO_8859_1)).find()) {
      throw new IllegalArgumentException(
          "it holds PEM, which is no secret; broadcast.token.algorithm may be rs256, es256 or"
              + " eddsa");
    }
    int length = file.length;
    if (length > 0 && file[length - 1] == '\n') {
      length--;
    }
    if (length > 0 && file[length - 1] == '\r') {
      length--;
    }
    if (length < MIN_SECRET_BYTES) {
      throw new IllegalArgumentException("it holds " + length + " bytes");
    }
    return new SecretKeySpec(Arrays.copyOf(file, length), "HmacSHA256");
  }

  private static Key rsa(byte[] file) throws GeneralSecurityException {
    if (!(publicKey(file, "RSA") instanceof RSAPublicKey key)) {
      throw new IllegalArgumentException("its certificate is for no RSA key");
    }
    int bits = key.getModulus().bitLength();
    if (bits < MIN_RSA_BITS) {
      throw new IllegalArgumentException("its key has " + bits + " bits");
    }
    return key;
  }

  private static Key ec(byte[] file) throws GeneralSecurityException {
    if (!(publicKey(file, "EC") instanceof ECPublicKey key)) {
      throw new IllegalArgumentException("its certificate is for no EC key");
    }
    if (!key.getParams().toString().contains("secp256r1")
        || key.getParams().getOrder().bitLength() != P256_BITS) {
      throw new IllegalArgumentException("its key is on another curve");
    }
    return key;
  }

  private static Key ed(byte[] file) throws GeneralSecurityException {
    PublicKey key = publicKey(file, "EdDSA");
    if (!(key instanceof EdECPublicKey ed)
        || !ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName())) {
      throw new IllegalArgumentException("its key is on another curve");
    }
    return key;
  }

  private static PublicKey publicKey(byte[] file, String type) throws GeneralSecurityException {
    Matcher pem = PEM.matcher(new String(file, StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new IllegalArgumentException("it holds no PEM");
    }
    if (pem.group(1).equals("CERTIFICATE")) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(file))
          .getPublicKey();
    }
    if (!pem.group(1).equals("PUBLIC KEY")) {
      throw new IllegalArgumentException(
          "it holds a "
              + pem.group(1)
              + " where a PUBLIC KEY is due; 'openssl pkey -in FILE -pubout' makes one");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(pem.group(2));
    try {
      return KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(encoded));
    } catch (java.security.spec.InvalidKeySpecException e) {
      throw new IllegalArgumentException("its key is no " + type + " key", e);
    }
  }
}
