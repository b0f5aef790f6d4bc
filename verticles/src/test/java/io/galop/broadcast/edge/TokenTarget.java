package io.galop.broadcast.edge;

import io.galop.config.ConfigLoader;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * JSON Web Tokens. By the first byte: a token as it comes, or claims or a header that the issuer
 * has signed, whatever they are.
 */
public final class TokenTarget implements Target {
  private static final byte[] SECRET =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final String HEADER = TestTokens.encoded("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");

  private final Tokens tokens;

  public TokenTarget() throws Exception {
    Path directory = Files.createTempDirectory("galop-fuzz");
    List<String> settings = TestTokens.of("HS256", directory).settings();
    tokens =
        TestTokens.reader(
            ConfigLoader.load(Optional.empty(), Map.of(), settings, Map.of()).broadcast());
    Files.delete(directory.resolve("HS256.key"));
    Files.delete(directory);
  }

  @Override
  public void run(byte[] input) throws Exception {
    byte[] rest = Pieces.rest(input);
    int kind = Pieces.choice(input) % 3;
    if (kind == 0) {
      String token = new String(rest, StandardCharsets.UTF_8);
      if (isTaken(token)) {
        throw new AssertionError("a token that nobody signed is taken: " + token);
      }
    } else if (kind == 1) {
      isTaken(signed(HEADER + "." + TestTokens.encoded(rest)));
    } else {
      isTaken(signed(TestTokens.encoded(rest) + "." + TestTokens.encoded("{\"exp\":9999999999}")));
    }
  }

  private static String signed(String what) throws Exception {
    byte[] signature = TestTokens.hmac(SECRET, what.getBytes(StandardCharsets.US_ASCII));
    return what + "." + TestTokens.encoded(signature);
  }

  private boolean isTaken(String token) {
    try {
      tokens.read(token);
      return true;
    } catch (TokenRefused expected) {
      return false;
    }
  }
}
