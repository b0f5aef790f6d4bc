package io.galop.config;

/** What browsers have to show to see anything: a JSON Web Token, RFC 7519. */
public record TokenConfig(
    @Doc(
            "The file with the key that tokens are signed with; empty: no token is asked for and"
                + " every topic is shown. es256, rs256: the public key or certificate as PEM; hs256:"
                + " the secret, at least 32 bytes, without its last line break.")
        @Default("")
        String keyFile,
    @Doc("How tokens are signed. What a token says of itself is not heeded.") @Default("es256")
        TokenAlgorithm algorithm,
    @Doc("What a token's iss has to be; empty: anything.") @Default("") String issuer,
    @Doc("What a token's aud has to be or hold; empty: anything.") @Default("") String audience,
    @Doc("How far the clocks of issuer and node may differ, in seconds.")
        @Default("0")
        @Range(min = 0, max = 300)
        int leewaySeconds) {

  /** Whether browsers have to show a token. */
  public boolean isAsked() {
    return !keyFile.isEmpty();
  }
}
