package io.galop.config.broadcast;

/** How browsers' tokens are signed, RFC 7518 3.1. */
public enum TokenAlgorithm {
  /** HMAC with SHA-256: the key is a secret that whoever issues tokens shares with the nodes. */
  HS256,
  /** RSASSA-PKCS1-v1_5 with SHA-256: the key is the issuer's public RSA key. */
  RS256,
  /** ECDSA on P-256 with SHA-256: the key is the issuer's public EC key. */
  ES256
}
