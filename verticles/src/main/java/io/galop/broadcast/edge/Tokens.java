package io.galop.broadcast.edge;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.TokenAlgorithm;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Reads JSON Web Tokens, RFC 7519, in compact serialisation, RFC 7515 7.1. The algorithms are the
 * node's, and each key is for one: a token that names another, or none, is refused. Whether a token
 * that was read is still good is asked again whenever that may have changed. Safe to call from any
 * thread.
 */
public final class Tokens {
  private static final int MOST_CHARACTERS = 8192;
  private static final int MOST_REMEMBERED = 20_000;

  private final TokenKeys keys;
  private final Revocations revocations;
  private final Claims claims;

  /** Those who look through the browsers of an event loop; each says how many it has sent away. */
  private final List<Supplier<Future<Integer>>> loops = new CopyOnWriteArrayList<>();

  /** Polling browsers show the same token again and again; one signature costs up to 0.3 ms. */
  private final Map<String, Viewer> remembered =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Viewer> eldest) {
              return size() > MOST_REMEMBERED;
            }
          });

  /** With keys and revocations that others change. */
  Tokens(BroadcastConfig broadcast, TokenKeys keys, Revocations revocations) {
    this.keys = keys;
    this.revocations = revocations;
    this.claims = new Claims(broadcast.token(), broadcast.maxFilterBytes());
  }

  /** What a token is worth that was good when it was read. */
  public enum State {
    GOOD,
    EXPIRED,
    REVOKED,
    KEY_GONE
  }

  State state(Viewer viewer) {
    if (revocations.revokes(viewer)) {
      return State.REVOKED;
    }
    if (!keys.now().has(viewer.key())) {
      return State.KEY_GONE;
    }
    return viewer.isExpired(System.currentTimeMillis()) ? State.EXPIRED : State.GOOD;
  }

  /**
   * Lets a token be used.
   *
   * @throws TokenRefused if it is no longer good
   */
  void check(Viewer viewer) throws TokenRefused {
    switch (state(viewer)) {
      case GOOD -> {}
      case EXPIRED -> throw Edge.expired();
      case REVOKED ->
          throw new TokenRefused(
              TokenRefused.REVOKED, "the token was revoked; come with one that is issued later");
      case KEY_GONE ->
          throw new TokenRefused(
              TokenRefused.KEY_GONE, "the key of the token is no longer used; come with a new one");
    }
  }

  /**
   * Adds who is asked to look at all tokens of an event loop when some may have become bad.
   *
   * @return ends that
   */
  public Runnable watch(Supplier<Future<Integer>> loop) {
    loops.add(loop);
    return () -> loops.remove(loop);
  }

  /** Some tokens may have become bad: sends away who uses one, and says how many those were. */
  Future<Integer> sweep() {
    return Future.all(loops.stream().map(Supplier::get).toList())
        .map(gone -> gone.<Integer>list().stream().mapToInt(Integer::intValue).sum());
  }

  /**
   * Who a token is about. It may have become bad meanwhile: see {@link #check}.
   *
   * @throws TokenRefused if it is no token, or not one for this node, or not yet
   */
  Viewer read(String token) throws TokenRefused {
    if (token.length() > MOST_CHARACTERS) {
      throw TokenRefused.invalid("the token is longer than " + MOST_CHARACTERS + " characters");
    }
    String digest = digest(token);
    Viewer viewer = remembered.get(digest);
    if (viewer == null) {
      viewer = verify(token, digest);
      remembered.put(digest, viewer);
    }
    if (System.currentTimeMillis() < viewer.notBeforeMs()) {
      throw TokenRefused.invalid("the token is not good yet; see its nbf and the node's clock");
    }
    return viewer;
  }

  private Viewer verify(String token, String digest) throws TokenRefused {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      throw TokenRefused.invalid("the token must have three parts with dots between them");
    }
    List<VerifyKey> candidates = candidates(json(parts[0]));
    byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
    byte[] signature = decoded(parts[2]);
    for (VerifyKey key : candidates) {
      if (key.isGood(signed, signature)) {
        return claims.read(json(parts[1]), key.id(), digest);
      }
    }
    throw TokenRefused.invalid("the token is not signed with the key of this node");
  }

  /** The header decides nothing: it says which of the keys is to be tried. */
  private List<VerifyKey> candidates(JsonObject header) throws TokenRefused {
    TokenAlgorithm algorithm = keys.algorithm(header.getValue("alg"));
    if (header.containsKey("crit")) {
      throw TokenRefused.invalid("the token has critical extensions, which are not understood");
    }
    String kid = header.getValue("kid") instanceof String text ? text : "";
    List<VerifyKey> candidates = keys.now().candidates(algorithm, kid);
    if (!candidates.isEmpty()) {
      return candidates;
    }
    if (keys.areOthersComing() || keys.now().size() == 0) {
      throw new TokenRefused(
          TokenRefused.KEYS_AWAITED, "the key of the token is not known yet; come back");
    }
    throw TokenRefused.invalid("the token's kid names no key of this node for " + algorithm.word());
  }

  private static JsonObject json(String part) throws TokenRefused {
    try {
      if (Json.decodeValue(Buffer.buffer(decoded(part))) instanceof JsonObject object) {
        return object;
      }
    } catch (DecodeException e) {
      // Said below, as for what is JSON but no object.
    }
    throw TokenRefused.invalid("a part of the token holds no JSON object");
  }

  /** Without padding, as RFC 7515 has it: one token is written in one way. */
  private static byte[] decoded(String part) throws TokenRefused {
    if (part.indexOf('=') >= 0) {
      throw TokenRefused.invalid("a part of the token has padding; leave its '=' out");
    }
    try {
      return Base64.getUrlDecoder().decode(part);
    } catch (IllegalArgumentException e) {
      throw TokenRefused.invalid("a part of the token is not Base64url");
    }
  }

  private static String digest(String token) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha.digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).toLowerCase(Locale.ROOT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
