package io.galop.broadcast.edge;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.TokenConfig;
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
import java.util.Locale;
import java.util.Map;

/**
 * Reads JSON Web Tokens, RFC 7519, in compact serialisation, RFC 7515 7.1. The algorithm is the
 * node's: a token that names another, or none, is refused. Safe to call from any thread.
 */
final class Tokens {
  private static final int MOST_CHARACTERS = 8192;
  private static final int MOST_REMEMBERED = 20_000;

  private final TokenConfig config;
  private final Signatures signatures;
  private final Claims claims;

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

  /**
   * Reads the key; blocks, so at start only.
   *
   * @throws IllegalArgumentException if the key does not fit
   */
  Tokens(BroadcastConfig broadcast) {
    this.config = broadcast.token();
    this.signatures = new Signatures(config.algorithm(), TokenKey.read(config));
    this.claims = new Claims(config, broadcast.maxFilterBytes());
  }

  /**
   * Who a token is about. It may have expired meanwhile.
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
    checkHeader(json(parts[0]));
    byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
    if (!signatures.isGood(signed, decoded(parts[2]))) {
      throw TokenRefused.invalid("the token is not signed with the key of this node");
    }
    return claims.read(json(parts[1]), digest);
  }

  /** The header decides nothing: it has to say what is known already. */
  private void checkHeader(JsonObject header) throws TokenRefused {
    String algorithm = config.algorithm().name();
    if (!algorithm.equals(header.getValue("alg"))) {
      throw TokenRefused.invalid("the token must be signed with " + algorithm);
    }
    if (header.containsKey("crit")) {
      throw TokenRefused.invalid("the token has critical extensions, which are not understood");
    }
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
