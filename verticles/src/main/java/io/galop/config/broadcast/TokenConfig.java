package io.galop.config.broadcast;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** What browsers have to show to see anything: a JSON Web Token, RFC 7519. */
public record TokenConfig(
    @Doc(
            "The file with the verification key; empty: no token is required and "
                + "every topic is shown. es256, rs256: the public key or certificate as "
                + "PEM; hs256: the secret, at least 32 bytes, without its last line "
                + "break.")
        @Default("")
        String keyFile,
    @Doc("The signature algorithm. The token's own claim is ignored.") @Default("es256")
        TokenAlgorithm algorithm,
    @Doc("The required iss of a token; empty: any.") @Default("") String issuer,
    @Doc("What a token's aud must be or contain; empty: any.") @Default("") String audience,
    @Doc("Tolerated clock difference between issuer and node.")
        @Default("0")
        @Range(min = 0, max = 300)
        int leewaySeconds) {

  /** Whether browsers have to show a token. */
  public boolean isAsked() {
    return !keyFile.isEmpty();
  }
}
