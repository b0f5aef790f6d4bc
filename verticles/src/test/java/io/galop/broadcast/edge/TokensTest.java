package io.galop.broadcast.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens are good, and which keys. */
class TokensTest {
  @TempDir private Path directory;

  private static GalopConfig config(List<String> settings, String... more) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(List.of(more));
    return ConfigLoader.load(Optional.empty(), Map.of(), all, Map.of());
  }

  private static Tokens tokens(TestTokens issuer, String... settings) {
    return TestTokens.reader(config(issuer.settings(), settings).broadcast());
  }

  private static String refused(Tokens tokens, String token) {
    TokenRefused refused = assertThrows(TokenRefused.class, () -> tokens.read(token));
    assertFalse(token.length() > 20 && refused.getMessage().contains(token), "it is told");
    return refused.reason() + ": " + refused.getMessage();
  }

  private static JsonObject claims() {
    return TestTokens.claims("anna", 60, "race/#");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HS256", "RS256", "ES256", "EdDSA"})
  void takesWhatItsIssuerHasSigned(String algorithm) throws Exception {
    TestTokens issuer = TestTokens.of(algorithm, directory);
    Tokens tokens = tokens(issuer);
    String token = issuer.token("anna", 60, "race/#", "plant/+");
    Viewer viewer = tokens.read(token);
    assertEquals("anna", viewer.subject());
    assertTrue(viewer.sees(TopicFilter.parse("plant/1", 99)));
    assertFalse(viewer.sees(TopicFilter.parse("plant/#", 99)));
    assertSame(viewer, tokens.read(token));
    String[] parts = token.split("\\.");
    String other = TestTokens.encoded(claims().put("sub", "eve").encode());
    assertEquals(
        "token_invalid: the token is not signed with the key of this node",
        refused(tokens, parts[0] + "." + other + "." + parts[2]));
    assertEquals(
        "token_invalid: the token is not signed with the key of this node",
        refused(tokens, parts[0] + "." + parts[1] + ".AAAA"));
  }

  @Test
  void takesNoOtherAlgorithm() throws Exception {
    TestTokens issuer = TestTokens.of("RS256", directory);
    Tokens tokens = tokens(issuer);
    String rule = "token_invalid: the token must be signed with RS256";
    String none = TestTokens.encoded("{\"alg\":\"none\"}");
    String claims = TestTokens.encoded(claims().encode());
    assertEquals(rule, refused(tokens, none + "." + claims + "."));
    for (String alg : List.of("None", "rs256", "HS256", "RS384")) {
      JsonObject header = new JsonObject().put("alg", alg);
      assertEquals(rule, refused(tokens, issuer.sign(header, claims())), alg);
    }
    // The public key as an HMAC secret: what takes the algorithm from the token falls for it.
    String signed = TestTokens.encoded("{\"alg\":\"HS256\"}") + "." + claims;
    byte[] secret = Files.readAllBytes(issuer.keyFile());
    byte[] mac = TestTokens.hmac(secret, signed.getBytes(StandardCharsets.US_ASCII));
    assertEquals(rule, refused(tokens, signed + "." + TestTokens.encoded(mac)));
  }

  @Test
  void takesNothingThatIsNoToken() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    Tokens tokens = tokens(issuer);
    String good = issuer.token("anna", 60);
    for (String bad : List.of("", "a", "a.b", "..", good + ".x", "bnVsbA.bnVsbA.x", "é.é.é")) {
      assertTrue(refused(tokens, bad).startsWith("token_invalid: "), bad);
    }
    assertTrue(refused(tokens, "a".repeat(8193)).contains("longer than 8192"));
    JsonObject critical =
        new JsonObject().put("alg", "HS256").put("crit", new JsonArray().add("b64"));
    assertTrue(refused(tokens, issuer.sign(critical, claims())).contains("critical extensions"));
  }

  @Test
  void takesNoClaimsThatDoNotFit() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    Tokens tokens = tokens(issuer, "broadcast.token.issuer=me", "broadcast.token.audience=screen");
    JsonObject good = claims().put("iss", "me").put("aud", "screen");
    tokens.read(issuer.sign(good));
    tokens.read(issuer.sign(good.copy().put("aud", List.of("other", "screen"))));
    Map<String, Object> wrong =
        Map.of(
            "iss", "you", "aud", "other", "exp", "soon", "nbf", 4_000_000_000L, "topics", "race/#");
    wrong.forEach(
        (claim, value) -> {
          String why = refused(tokens, issuer.sign(good.copy().put(claim, value)));
          assertTrue(why.startsWith("token_invalid: ") && why.contains(claim), why);
        });
    for (String missing : List.of("iss", "aud", "exp")) {
      JsonObject without = good.copy();
      without.remove(missing);
      assertTrue(refused(tokens, issuer.sign(without)).contains("token's " + missing));
    }
    String filter = refused(tokens, issuer.sign(good.copy().put("topics", List.of("a/#/b"))));
    assertTrue(filter.contains("'#' must be the last level"), filter);
  }

  @Test
  void aTokenWithoutTopicsSeesNothing() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    JsonObject claims = claims();
    claims.remove("topics");
    Viewer viewer = tokens(issuer).read(issuer.sign(claims));
    assertFalse(viewer.sees(TopicFilter.parse("race/1", 99)));
  }

  @Test
  void clocksMayDifferAsMuchAsConfigured() throws Exception {
    TestTokens issuer = TestTokens.of("HS256", directory);
    long now = System.currentTimeMillis();
    JsonObject late = claims().put("exp", now / 1000 - 100).put("nbf", now / 1000 + 100);
    Viewer lenient = tokens(issuer, "broadcast.token.leewaySeconds=200").read(issuer.sign(late));
    assertFalse(lenient.isExpired(now));
    assertTrue(lenient.isExpired(now + 110_000));
    assertTrue(refused(tokens(issuer), issuer.sign(late)).contains("nbf"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "missing  | ES256 | it cannot be read",
        "short    | HS256 | it holds 5 bytes",
        "ec       | HS256 | it holds PEM, which is no secret",
        "short    | RS256 | it holds no PEM",
        "ec       | RS256 | its key is no RSA key",
        "small    | RS256 | its key has 1024 bits",
        "private  | RS256 | it holds a PRIVATE KEY where a PUBLIC KEY is due; 'openssl pkey",
        "p384     | ES256 | its key is on another curve",
        "rsa      | ES256 | its key is no EC key"
      })
  void refusesAKeyThatDoesNotFit(String file, String algorithm, String why) throws Exception {
    Files.writeString(directory.resolve("short"), "short");
    Files.writeString(directory.resolve("rsa"), TestTokens.pem(TestTokens.rsa(2048)));
    Files.writeString(directory.resolve("small"), TestTokens.pem(TestTokens.rsa(1024)));
    Files.writeString(directory.resolve("ec"), TestTokens.pem(TestTokens.ec("secp256r1")));
    Files.writeString(directory.resolve("p384"), TestTokens.pem(TestTokens.ec("secp384r1")));
    Files.writeString(
        directory.resolve("private"),
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    Path key = directory.resolve(file);
    List<String> settings =
        List.of(
            "broadcast.token.keyFile=" + key,
            "broadcast.token.algorithm=" + algorithm.toLowerCase(Locale.ROOT));
    List<String> problems = EdgeCheck.problems(config(settings));
    assertEquals(1, problems.size());
    String expected = "broadcast.token.keyFile must name a file with ";
    assertTrue(problems.get(0).startsWith(expected), problems.get(0));
    assertTrue(problems.get(0).contains("'" + key + "': " + why), problems.get(0));
  }
}
