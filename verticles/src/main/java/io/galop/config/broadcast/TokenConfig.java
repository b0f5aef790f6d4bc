package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** What browsers have to show to see anything: a JSON Web Token, RFC 7519. */
public record TokenConfig(
    @Doc(
            "The file with the verification key: a public key or certificate (PEM), "
                + "or for hs256 the secret, at least 32 bytes without its last line break. "
                + "Empty, without jwks: no token is required.")
        @Default("")
        String keyFile,
    @Doc("The signature algorithm of keyFile, whatever a token claims.") @Default("es256")
        TokenAlgorithm algorithm,
    @Doc("Keys that change while the node runs, instead of keyFile.") JwksConfig jwks,
    @Doc("The required iss of a token; empty: any.") @Default("") String issuer,
    @Doc("The required aud of a token, or one of several; empty: any.") @Default("")
        String audience,
    @Doc("Tolerated clock difference between issuer and node.")
        @Default("0")
        @Range(min = 0, max = 300)
        int leewaySeconds,
    @Doc(
            "Longest time from a token's iat to its exp; others are refused. Galop forgets "
                + "a disconnected subject after it. 0: any, and a subject is never forgotten.")
        @Default("0")
        @Range(min = 0, max = 31_536_000)
        int maxLifeSeconds) {
  public TokenConfig {
    if (!keyFile.isEmpty() && jwks.isGiven()) {
      throw new IllegalArgumentException("keyFile must be empty where jwks is given");
    }
  }

  /** Whether browsers have to show a token. */
  public boolean isAsked() {
    return !keyFile.isEmpty() || jwks.isGiven();
  }
}
