package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenAlgorithm;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import javax.crypto.Mac;

/** Verifies signatures with one key by one algorithm, RFC 7518 3.2 to 3.4. Any thread may. */
final class Signatures {
  private final TokenAlgorithm algorithm;
  private final Key key;

  Signatures(TokenAlgorithm algorithm, Key key) {
    this.algorithm = algorithm;
    this.key = key;
  }

  boolean isGood(byte[] signed, byte[] signature) {
    try {
      return switch (algorithm) {
        case HS256 -> isMac(signed, signature);
        case RS256 -> isSignature("SHA256withRSA", signed, signature);
        case ES256 -> isSignature("SHA256withECDSAinP1363Format", signed, signature);
        case EDDSA -> isSignature("Ed25519", signed, signature);
      };
    } catch (SignatureException malformed) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }

  private boolean isMac(byte[] signed, byte[] signature) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(key);
    return MessageDigest.isEqual(mac.doFinal(signed), signature);
  }

  private boolean isSignature(String name, byte[] signed, byte[] signature)
      throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(name);
    verifier.initVerify((PublicKey) key);
    verifier.update(signed);
    return verifier.verify(signature);
  }
}
