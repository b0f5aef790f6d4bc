package io.galop.socket;

import io.galop.yaml.ConfigException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.EllipticCurve;
import java.util.stream.Stream;

/** The kinds of keys that TLS here has certificates of: those that browsers take too. */
final class KeyKinds {
  private static final String TAKEN = "RSA or EC (P-256, P-384, P-521)";
  private static final String MAKE =
      "'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256' makes one";

  /** What is wrong with a file that holds no such key. */
  static final String NO_KEY =
      "it holds no private key as PEM (PKCS #8, not encrypted) of the kinds "
          + TAKEN
          + "; 'openssl pkcs8 -topk8 -nocrypt' turns another form of these into it, and "
          + MAKE;

  private KeyKinds() {}

  /**
   * Refuses a certificate of another kind.
   *
   * @throws ConfigException with the file and the kinds
   */
  static void mustBeTaken(PemFile file, X509Certificate certificate) {
    PublicKey key = certificate.getPublicKey();
    boolean isTaken =
        key instanceof ECPublicKey curved ? isNamed(curved) : key.getAlgorithm().equals("RSA");
    if (!isTaken) {
      throw file.problem(
          "its key is of the kind %s; it must be %s; %s".formatted(kind(key), TAKEN, MAKE));
    }
  }

  private static String kind(PublicKey key) {
    if (key instanceof EdECPublicKey edwards) {
      return edwards.getParams().getName();
    }
    return key instanceof ECPublicKey ? "EC on another curve" : key.getAlgorithm();
  }

  private static boolean isNamed(ECPublicKey key) {
    EllipticCurve curve = key.getParams().getCurve();
    return Stream.of("secp256r1", "secp384r1", "secp521r1")
        .anyMatch(name -> curve(name).equals(curve));
  }

  private static EllipticCurve curve(String name) {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
      parameters.init(new ECGenParameterSpec(name));
      return parameters.getParameterSpec(ECParameterSpec.class).getCurve();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has the curve " + name, e);
    }
  }
}
