package io.galop.config.broadcast;

/** How browsers' tokens are signed, RFC 7518 3.1 and RFC 8037. */
public enum TokenAlgorithm {
  /** HMAC with SHA-256: the key is a secret that whoever issues tokens shares with the nodes. */
  HS256("HS256"),
  /** RSASSA-PKCS1-v1_5 with SHA-256: the key is the issuer's public RSA key. */
  RS256("RS256"),
  /** ECDSA on P-256 with SHA-256: the key is the issuer's public EC key. */
  ES256("ES256"),
  /** Ed25519: the key is the issuer's public key on that curve. */
  EDDSA("EdDSA");

  private final String word;

  TokenAlgorithm(String word) {
    this.word = word;
  }

  /** As the header of a token names it. */
  public String word() {
    return word;
  }
}
