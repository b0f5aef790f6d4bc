package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A running node takes the keys of viewers' tokens from elsewhere: a file, a set, another set. */
@Tag("slow")
@Timeout(240)
class ApplyTokenKeysTest {
  @TempDir Path directory;
  private TestTokens first;
  private TestTokens second;

  @BeforeEach
  void makeKeys() throws Exception {
    first = TestTokens.of("ES256", directory);
    second = TestTokens.of("EdDSA", directory);
  }

  private static String keyFile(TestTokens issuer) {
    return "broadcast: {token: {keyFile: '%s'}}".formatted(issuer.keyFile());
  }

  private static String jwks(String key, Object value) {
    return "broadcast: {token: {jwks: {%s: '%s'}}}".formatted(key, value);
  }

  private static String set(JsonObject... keys) {
    return new JsonObject().put("keys", new JsonArray(List.of(keys))).encode();
  }

  private Path write(String name, JsonObject... keys) throws Exception {
    Path next = Files.writeString(directory.resolve("next"), set(keys));
    return Files.move(next, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String token(TestTokens issuer, String kid) {
    return "?token=" + issuer.token(kid, TestTokens.claims("anna", 600, "#"));
  }

  private static void refuses(AppliedNode node, String query) {
    assertThrows(ExecutionException.class, () -> node.viewer("a/#", query));
  }

  private static void awaitEnd(AppliedNode.Viewer viewer) throws Exception {
    AppliedNode.await("the end", () -> viewer.closed() == 3503);
  }

  @Test
  void aFileWithOneKeyBecomesASetAndBack() throws Exception {
    try (AppliedNode node = new AppliedNode(directory, keyFile(first))) {
      AppliedNode.Viewer stays = node.viewer("a/#", token(first, "any"));
      Path file = write("set", first.jwk(""), second.jwk("b"));
      node.takes("broadcast.token.jwks.file", jwks("file", file));
      AppliedNode.Viewer comes = node.viewer("a/#", token(second, "b"));
      node.publish("1", "a/x", "{}");
      stays.awaitRecord("1"); // the set has its key under the same name, which is none
      comes.awaitRecord("1");
      assertEquals(2, node.metric("galop_broadcast_token_keys"));
      write("set", second.jwk("b"));
      awaitEnd(stays);
      assertEquals(1, node.metric("galop_broadcast_token_keys"));
      node.publish("2", "a/x", "{}");
      comes.awaitRecord("2");
      node.takes("broadcast.token.keyFile", keyFile(first));
      awaitEnd(comes);
      refuses(node, token(second, "b"));
      node.viewer("a/#", token(first, "any"));
      double looks = node.metric("galop_broadcast_token_keys_looks_total{result=\"ok\"}");
      Thread.sleep(2_500); // a set that is in force is looked at every two seconds
      assertEquals(looks, node.metric("galop_broadcast_token_keys_looks_total{result=\"ok\"}"));
      assertEquals(0, node.metric("galop_broadcast_token_keys_stale"));
      assertEquals(0, node.metric("galop_broadcast_token_keys_age_seconds"));
    }
  }

  @Test
  void aSetThatCannotBeReadIsRefusedAndAnotherTakesItsPlace() throws Exception {
    Path file = write("set", first.jwk("a"));
    String both = jwks("file", file).replace("jwks: {", "jwks: {algorithms: [es256], ");
    try (AppliedNode node = new AppliedNode(directory, both);
        Sets sets = new Sets(set(first.jwk("c"), second.jwk("b")))) {
      AppliedNode.Viewer old = node.viewer("a/#", token(first, "a"));
      String why = node.refuses(jwks("url", sets.url("/nothing")));
      String said = "broadcast.token.jwks.url: no keys can be read from " + sets.url("/nothing");
      assertTrue(why.contains(said + ": it answers 404; the keys of before still count"), why);
      why = node.refuses(jwks("file", directory.resolve("none")));
      assertTrue(why.contains("broadcast.token.jwks.file must name a JSON Web Key Set"), why);
      why = node.refuses("{}");
      assertTrue(why.contains("broadcast.token: has neither keyFile nor jwks now"), why);
      node.publish("1", "a/x", "{}");
      old.awaitRecord("1");
      assertEquals(0, node.metric("galop_broadcast_token_keys_stale"));
      int asked = sets.asked.get();
      node.takes("broadcast.token.jwks.url", jwks("url", sets.url("/keys")));
      assertEquals(asked + 1, sets.asked.get(), "asked once, though three keys differ");
      awaitEnd(old);
      node.viewer("a/#", token(first, "c"));
      node.viewer("a/#", token(second, "b")); // eddsa did not count before
      sets.keys = set(second.jwk("d"));
      AppliedNode.await("a look for an unknown key", () -> isLetIn(node, token(second, "d")));
      refuses(node, token(first, "a"));
    }
  }

  private static boolean isLetIn(AppliedNode node, String query) {
    try {
      node.viewer("a/#", query);
      return true;
    } catch (ExecutionException refused) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Whoever publishes sets: one at /keys, and none elsewhere. */
  private static final class Sets implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String keys;

    Sets(String keys) throws Exception {
      this.keys = keys;
      server.createContext(
          "/",
          exchange -> {
            asked.incrementAndGet();
            byte[] body = this.keys.getBytes(StandardCharsets.UTF_8);
            boolean isThere = exchange.getRequestURI().getPath().equals("/keys");
            try (exchange) {
              exchange.sendResponseHeaders(isThere ? 200 : 404, body.length);
              exchange.getResponseBody().write(body);
            }
          });
      server.start();
    }

    String url(String path) {
      return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
