package io.galop.broadcast.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.TokenAlgorithm;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys of a set count, and for which tokens. */
class JwksTest {
  private static final List<TokenAlgorithm> ALL = List.of(TokenAlgorithm.values());

  @TempDir private Path directory;
  private Map<String, TestTokens> issuers;

  @BeforeEach
  void makeIssuers() throws Exception {
    issuers =
        Map.of(
            "RS256", TestTokens.of("RS256", directory),
            "ES256", TestTokens.of("ES256", directory),
            "EdDSA", TestTokens.of("EdDSA", directory),
            "HS256", TestTokens.of("HS256", directory));
  }

  private JsonObject jwk(String algorithm) {
    return issuers.get(algorithm).jwk(algorithm);
  }

  private static byte[] set(JsonObject... keys) {
    JsonObject set = new JsonObject().put("keys", new JsonArray(Arrays.asList(keys)));
    return set.encode().getBytes(StandardCharsets.UTF_8);
  }

  private static Tokens tokens(byte[] set, List<TokenAlgorithm> algorithms) {
    String words = algorithms.stream().map(Enum::name).toList().toString().toLowerCase();
    List<String> settings =
        List.of("broadcast.token.jwks.file=x", "broadcast.token.jwks.algorithms=" + words);
    BroadcastConfig config =
        ConfigLoader.load(Optional.empty(), Map.of(), settings, Map.of()).broadcast();
    TokenKeys keys = TokenKeys.of(config.token());
    keys.put(Jwks.parse(set, algorithms).keys());
    return new Tokens(config, keys, new Revocations(config.token()));
  }

  private static String refused(Tokens tokens, String token) {
    TokenRefused refused = assertThrows(TokenRefused.class, () -> tokens.read(token));
    return refused.reason() + ": " + refused.getMessage();
  }

  private static JsonObject claims() {
    return TestTokens.claims("anna", 60, "race/#");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "ES256", "EdDSA", "HS256"})
  void findsTheKeyByItsKid(String algorithm) throws Exception {
    TestTokens issuer = issuers.get(algorithm);
    Tokens tokens = tokens(set(jwk("RS256"), jwk("ES256"), jwk("EdDSA"), jwk("HS256")), ALL);
    assertEquals("anna", tokens.read(issuer.token(algorithm, claims())).subject());
    assertEquals("anna", tokens.read(issuer.sign(claims())).subject(), "its only key");
    String unknown = "token_invalid: the token's kid names no key of this node for " + algorithm;
    assertEquals(unknown, refused(tokens, issuer.token("other", claims())));
    String forged = TestTokens.of(algorithm, directory).token(algorithm, claims());
    if (!algorithm.equals("HS256")) {
      assertTrue(refused(tokens, forged).contains("not signed with the key"), algorithm);
    }
  }

  @Test
  void aKeyIsForItsAlgorithmOnly() throws Exception {
    Tokens tokens = tokens(set(jwk("RS256"), jwk("ES256")), List.of(TokenAlgorithm.RS256));
    String rule = "token_invalid: the token must be signed with RS256";
    for (String other : List.of("ES256", "HS256", "EdDSA")) {
      assertEquals(rule, refused(tokens, issuers.get(other).token(other, claims())));
    }
    String header = TestTokens.encoded("{\"alg\":\"none\",\"kid\":\"RS256\"}");
    String none = header + "." + TestTokens.encoded(claims().encode()) + ".";
    assertEquals(rule, refused(tokens, none));
    // An HMAC with the public key as its secret, under the kid of the public key.
    Tokens both = tokens(set(jwk("RS256"), jwk("HS256")), ALL);
    String confused = issuers.get("HS256").token("RS256", claims());
    assertTrue(refused(both, confused).contains("names no key of this node for HS256"));
  }

  @Test
  void twoKeysOfAnAlgorithmNeedAKid() throws Exception {
    TestTokens second = TestTokens.of("ES256", directory);
    Tokens tokens = tokens(set(jwk("ES256"), second.jwk("second")), ALL);
    assertEquals("anna", tokens.read(second.token("second", claims())).subject());
    assertTrue(refused(tokens, second.sign(claims())).contains("kid names no key"));
  }

  @Test
  void passesOverKeysForSomethingElse() {
    JsonObject good = jwk("ES256");
    List<JsonObject> others =
        List.of(
            jwk("RS256").put("use", "enc"),
            jwk("RS256").put("alg", "RS512"),
            jwk("RS256").put("key_ops", new JsonArray().add("encrypt")),
            jwk("ES256").put("crv", "P-384"),
            jwk("EdDSA").put("crv", "X25519"),
            new JsonObject().put("kty", "AKP"),
            new JsonObject());
    for (JsonObject other : others) {
      Jwks read = Jwks.parse(set(other, good), ALL);
      assertEquals(1, read.keys().size(), other.encode());
      assertEquals(List.of(), read.unsafe(), other.encode());
    }
  }

  @Test
  void namesKeysThatAreNotSafe() throws Exception {
    JsonObject weak = jwk("RS256").put("n", TestTokens.encoded(new byte[] {1, 2, 3}));
    List<JsonObject> unsafe =
        List.of(
            weak,
            jwk("RS256").put("e", "AQ"),
            jwk("ES256").put("d", "AAAA"),
            jwk("ES256").put("x", "AAAA"),
            jwk("ES256").put("y", TestTokens.encoded(new byte[32])),
            jwk("EdDSA").put("x", "!"),
            jwk("HS256").put("k", "c2hvcnQ"));
    for (JsonObject bad : unsafe) {
      TestTokens signer = issuers.get(bad.getString("kid"));
      List<String> why;
      try {
        Jwks read = Jwks.parse(set(bad, jwk("EdDSA").put("kid", "good")), ALL);
        why = read.unsafe();
        Tokens tokens = tokens(set(bad, jwk("EdDSA").put("kid", "good")), ALL);
        assertTrue(
            refused(tokens, signer.token(bad.getString("kid"), claims()))
                .startsWith("token_invalid"));
      } catch (IllegalArgumentException e) {
        throw new AssertionError(bad.encode(), e);
      }
      assertTrue(
          why.size() == 1 && why.get(0).startsWith("keys[0] (kid '")
              || bad.getString("kid").equals("ES256"),
          bad.encode() + why);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"keys\":{}}",
        "{\"keys\":[]}",
        "{\"keys\":[1]}",
        "<html>"
      })
  void refusesWhatIsNoSet(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThrows(IllegalArgumentException.class, () -> Jwks.parse(bytes, ALL));
  }

  /** Nobody may be let in by a key that another kid had before. */
  @Test
  void aTokenEndsWithItsKey() throws Exception {
    BroadcastConfig config =
        ConfigLoader.load(
                Optional.empty(), Map.of(), List.of("broadcast.token.jwks.file=x"), Map.of())
            .broadcast();
    TokenKeys keys = TokenKeys.of(config.token());
    Tokens tokens = new Tokens(config, keys, new Revocations(config.token()));
    TestTokens issuer = issuers.get("ES256");
    String token = issuer.token("a", claims());
    assertTrue(refused(tokens, token).startsWith("keys_awaited"), "before any key is known");
    keys.put(Jwks.parse(set(issuer.jwk("a")), ALL).keys());
    Viewer viewer = tokens.read(token);
    assertEquals(Tokens.State.GOOD, tokens.state(viewer));
    TestTokens next = TestTokens.of("ES256", directory);
    keys.put(Jwks.parse(set(next.jwk("a")), ALL).keys());
    assertEquals(Tokens.State.KEY_GONE, tokens.state(tokens.read(token)));
    keys.put(Jwks.parse(set(next.jwk("b"), issuer.jwk("a")), ALL).keys());
    assertEquals(Tokens.State.GOOD, tokens.state(viewer));
  }
}
